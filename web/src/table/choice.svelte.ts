// The choice that a player is making: steps already settled, and the taps of the next one.
// Nothing of it has been sent, so all of it can be taken back.

import type { Changes, ViewData } from '../protocol';
import type { Path, Pick } from '../taps';
import { patched } from '../views';

export interface Step {
  action: string;
  /** What the server answered when asked what could follow; null as long as it has not. */
  after: { view: Changes; legal: string[] } | null;
  /** How it looks until then. */
  foreseen: ViewData;
}

export class Choice {
  steps = $state.raw<Step[]>([]);
  picks = $state.raw<Pick[]>([]);
  /** A whole choice that waits for the player's confirmation. */
  ready = $state.raw<Path | null>(null);

  get empty(): boolean {
    return !this.steps.length && !this.picks.length;
  }

  get last(): Step | undefined {
    return this.steps.at(-1);
  }

  clear(): void {
    this.steps = [];
    this.picks = [];
    this.ready = null;
  }

  takeBack(): void {
    if (this.ready || this.picks.length) this.picks = [];
    else this.steps = this.steps.slice(0, -1);
    this.ready = null;
  }

  /** The table as it looks with the steps so far. */
  over(live: ViewData): ViewData {
    const last = this.last;
    if (!last) return live;
    return last.after ? patched(live, last.after.view) : last.foreseen;
  }
}
