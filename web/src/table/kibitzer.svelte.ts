// Who stands behind the chair: hints for who plays, everyone's chances for who watches.

import type { BarsFrame, HintFrame } from '../protocol';
import { Refused } from '../service';
import type { Table } from './table.svelte';

export class Kibitzer {
  hint = $state.raw<HintFrame | null>(null);
  hinting = $state(false);
  bars = $state.raw<number[] | null>(null);
  barsOn = $state(false);

  constructor(readonly table: Table) {}

  heard(frame: HintFrame): void {
    if (this.hinting) this.hint = frame;
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
    try {
      this.hint = await this.table.link.command<HintFrame>({ do: 'hint', table: this.table.id, on: true });
    } catch (refused) {
      this.hinting = false;
      if (refused instanceof Refused) this.table.refusal = refused;
    }
  }

  /** A hint is about one position; after a move it is old. */
  forget(): void {
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
