// Who stands behind the chair: hints for who plays, everyone's chances for who watches.

import type { BarsFrame, HintFrame } from '../protocol';
import { Refused } from '../service';
import type { Table } from './table.svelte';

export class Kibitzer {
  hint = $state.raw<HintFrame | null>(null);
  hinting = $state(false);
  bars = $state.raw<number[] | null>(null);
  barsOn = $state(false);

  /** Counts the positions that were asked about: an answer may come too late. */
  #position = 0;

  constructor(readonly table: Table) {}

  /** More of the answer that is shown; the first part comes to who asked. */
  heard(frame: HintFrame): void {
    if (this.hint?.re === frame.re) this.hint = frame;
  }

  counted(frame: BarsFrame): void {
    this.bars = frame.chances;
  }

  async toggleHint(): Promise<void> {
    if (this.hinting) {
      this.forget();
      this.table.link.command({ do: 'hint', table: this.table.id, on: false }).catch(() => {});
      return;
    }
    this.hinting = true;
    const asked = ++this.#position;
    const actions = this.table.choice.steps.map((step) => step.action);
    try {
      const hint = await this.table.link.command<HintFrame>({ do: 'hint', table: this.table.id, on: true, actions });
      if (asked === this.#position) this.hint = hint;
    } catch (refused) {
      if (asked !== this.#position) return;
      this.hinting = false;
      if (refused instanceof Refused) this.table.refusal = refused;
    }
  }

  /** A hint is about one position; after a move, or a step of one, it is old. */
  forget(): void {
    this.#position++;
    this.hinting = false;
    this.hint = null;
  }

  async toggleBars(): Promise<void> {
    this.barsOn = !this.barsOn;
    if (!this.barsOn) this.bars = null;
    await this.table.ask({ do: 'bars', on: this.barsOn });
  }

  /** After a cut the server has to be asked again. */
  resume(): void {
    if (this.barsOn) void this.table.ask({ do: 'bars', on: true });
  }
}
