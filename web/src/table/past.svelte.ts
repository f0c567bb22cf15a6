// Looking back while the match goes on, and through one that is over.

import type { ViewData } from '../protocol';
import { Refused, history } from '../service';
import { tokenFor } from '../seats';
import { momentOf, readHistory, type Moment } from './history';
import type { Table } from './table.svelte';

export class Past {
  moments = $state.raw<Moment[] | null>(null);
  /** The moment that is looked at; null is now. */
  at = $state<number | null>(null);

  constructor(readonly table: Table) {}

  get view(): ViewData | null {
    return this.at === null ? null : (this.moments?.[this.at]?.view ?? null);
  }

  async lookBack(at: number): Promise<void> {
    if (!this.moments && !(await this.#load())) return;
    this.table.leaps++;
    this.at = Math.max(0, Math.min(at, this.moments!.length - 1));
  }

  /** The number of the choice that led to the moment looked at. */
  get seq(): number | null {
    return this.at === null ? null : (this.moments?.[this.at]?.seq ?? null);
  }

  /** The moment after a choice; the newest one is now. */
  async lookAt(seq: number): Promise<void> {
    this.moments = null;
    if (!(await this.#load())) return;
    const at = momentOf(this.moments!, seq);
    if (at >= this.moments!.length - 1 && this.table.phase === 'playing') this.now();
    else await this.lookBack(at);
  }

  async #load(): Promise<boolean> {
    const { id, phase } = this.table;
    try {
      this.moments = readHistory(await history(id, phase === 'over', tokenFor(id)));
    } catch (refused) {
      if (refused instanceof Refused) this.table.refusal = refused;
    }
    return this.moments !== null;
  }

  /** One step back or on; from now, back into the past. */
  async step(by: number): Promise<void> {
    if (this.at === null) {
      if (by > 0) return;
      this.moments = null;
      await this.lookBack(Number.MAX_SAFE_INTEGER);
      if (this.at === null) return;
    }
    const to = this.at + by;
    if (to >= this.moments!.length) this.now();
    else await this.lookBack(to);
  }

  now(): void {
    if (this.at === null) return;
    this.table.leaps++;
    this.at = null;
    if (this.table.phase === 'playing') this.moments = null;
  }
}
