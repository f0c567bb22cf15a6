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

/** What of a choice is kept, for as long as the tab lives. */
interface Kept { seq: number; actions: string[]; picks: Pick[] }

const place = (table: string): string => `kibitz.choice.${table}`;

export function keepChoice(table: string, seq: number, choice: Choice): void {
  const kept: Kept = { seq, actions: choice.steps.map((step) => step.action), picks: choice.picks };
  try {
    if (choice.empty) sessionStorage.removeItem(place(table));
    else sessionStorage.setItem(place(table), JSON.stringify(kept));
  } catch {
    // A browser that keeps nothing forgets it with the page.
  }
}

/** A choice that was being made when the page was loaded anew, if nothing has happened since. */
export function keptChoice(table: string, seq: number): Kept | null {
  try {
    const kept = JSON.parse(sessionStorage.getItem(place(table)) ?? 'null') as Kept | null;
    return kept && kept.seq === seq ? kept : null;
  } catch {
    return null;
  }
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
