// How fast the others' moves are shown: as they come, one after the other with time to look, or
// each when I ask for it. What happens at the table does not wait for it, only what I see of it.

import { settings } from '../settings.svelte';

const MOST = 40; // things that wait
const BETWEEN = { quick: 0, calm: 2200, step: Infinity };

export class Pace {
  /** Something has happened that I have not been shown yet. */
  waiting = $state(false);
  #queue: (() => void)[] = [];
  #timer: number | undefined;
  #shown = 0;

  get busy(): boolean {
    return this.#queue.length > 0;
  }

  /** Show something now, or when its time has come. */
  show(it: () => void, mine: boolean): void {
    if (mine && !this.#queue.length) return it();
    this.#queue.push(it);
    // Who looks away for long is not kept behind for ever.
    if (this.#queue.length > MOST) this.next();
    else this.#plan();
  }

  /** Forget what waits: the whole table comes anew. */
  drop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#queue = [];
    this.waiting = false;
  }

  next(): void {
    this.#queue.shift()?.();
    this.#shown = performance.now();
    this.waiting = false;
    this.#plan();
  }

  #plan(): void {
    if (this.#timer !== undefined || !this.#queue.length) return;
    const wait = this.#shown + BETWEEN[settings.pace] - performance.now();
    if (wait <= 0) this.next();
    else if (wait === Infinity) this.waiting = true;
    else {
      this.#timer = window.setTimeout(() => {
        this.#timer = undefined;
        this.next();
      }, wait);
    }
  }
}
