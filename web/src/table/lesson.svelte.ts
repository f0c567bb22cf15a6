// A lesson in the place of a server: the table is laid out, one thing is asked for, the others answer.

import type { Frame, LessonData, LessonMove, LessonScene, MovedFrame, PreviewFrame, SeatData, TableFrame } from '../protocol';
import { VERSION } from '../protocol';
import { keyOf } from '../choices';
import { Refused } from '../service';
import type { Asked, Link } from '../wire.svelte';
import type { Table } from './table.svelte';

const ANSWER = 1300; // milliseconds until the next of the others moves
const READ = 900; // and until the next step, so that one sees what happened
const SHOWN = 900; // for which a move is lit up before it is made

/** Light up a choice, then make it. */
export function showTheWay(table: Table, actions: string[]): void {
  table.refusal = null;
  table.choice.clear();
  table.shine(actions);
  setTimeout(() => void table.ask({ do: 'play', actions }), SHOWN);
}

export class Lesson implements Link {
  at = $state(0);
  done = $state(false);
  /** The others are moving. */
  busy = $state(false);

  #listener: (frame: Frame) => void = () => {};
  #seq = 0;
  #timer: number | undefined;

  constructor(readonly id: string, readonly game: string, readonly data: LessonData, readonly pupil: string) {}

  get scene(): LessonScene {
    return this.data.scenes[this.at]!;
  }

  join(listener: (frame: Frame) => void, greeting: () => void): () => void {
    this.#listener = listener;
    queueMicrotask(greeting);
    return () => {
      clearTimeout(this.#timer);
      this.#listener = () => {};
    };
  }

  command<T extends Frame>(asked: Asked): Promise<T> {
    const answer = this.#answer(asked);
    return answer instanceof Refused ? Promise.reject(answer) : Promise.resolve(answer as T);
  }

  #answer(asked: Asked): Frame | Refused {
    if (asked.do === 'enter') this.#lay();
    if (asked.do === 'play') return this.#play(asked.actions);
    if (asked.do === 'preview') return this.#preview(asked.actions);
    return { t: 'ok', re: '' };
  }

  /** What was done is what was asked for, is allowed, or is not: each gets its answer. */
  #play(actions: string[]): Frame | Refused {
    if (this.busy) return { t: 'ok', re: '' };
    if (keyOf(actions) !== keyOf(this.scene.do)) return this.#no(actions);
    this.#perform(0);
    return { t: 'ok', re: '' };
  }

  #preview(actions: string[]): Frame | Refused {
    const preview = this.scene.previews[keyOf(actions)];
    if (!preview) return this.#no(actions);
    const { view, legal } = preview;
    const frame: PreviewFrame = { t: 'preview', re: '', table: this.id, view, legal };
    return frame;
  }

  /** The last step is forbidden by a rule, or all of them are not what was asked for. */
  #no(actions: string[]): Refused {
    const before = actions.slice(0, -1);
    const legal = before.length ? this.scene.previews[keyOf(before)]?.legal : this.scene.legal;
    const last = actions.at(-1) ?? '';
    const rule = legal?.includes(last) ? undefined : Object.entries(this.scene.refused).find(([, texts]) => texts.includes(last))?.[0];
    return rule ? new Refused('illegal', last, rule) : new Refused('lesson', keyOf(actions), null);
  }

  /** A step that is only read has been read. */
  next(): void {
    if (!this.busy && !this.scene.do.length) this.#perform(0);
  }

  restart(): void {
    this.at = 0;
    this.done = false;
    this.#lay();
  }

  #perform(n: number): void {
    const move = this.scene.moves[n];
    if (!move) {
      this.#later(this.scene.moves.length ? READ : 0, () => this.#advance());
      return;
    }
    this.busy = true;
    this.#moved(move, this.#isLast && n + 1 === this.scene.moves.length);
    this.#later(n + 1 < this.scene.moves.length ? ANSWER : 0, () => this.#perform(n + 1));
  }

  #later(wait: number, then: () => void): void {
    clearTimeout(this.#timer);
    if (wait) this.#timer = window.setTimeout(then, wait);
    else then();
  }

  #advance(): void {
    this.busy = false;
    if (this.#isLast) {
      this.done = true;
      return;
    }
    this.at++;
    if (this.scene.laid) this.#lay();
  }

  get #isLast(): boolean {
    return this.at + 1 >= this.data.scenes.length;
  }

  /** After the last move nobody is asked for anything. */
  #moved({ seat, lines, view, legal }: LessonMove, over: boolean): void {
    const frame: MovedFrame = {
      t: 'moved', table: this.id, seq: ++this.#seq, seat, view, legal, turn: { at: 0, left: null },
      lines: lines.map((line) => ({ ...line, seq: this.#seq })),
    };
    this.#listener(over ? { ...frame, view: { ...view, due: [] }, legal: [], phase: 'over' } : frame);
  }

  #lay(): void {
    const { view, legal } = this.scene;
    const { seat: mine, players, names } = this.data;
    const seats = [...names.slice(0, mine), this.pupil, ...names.slice(mine)].map((name, seat): SeatData => ({
      kind: seat === mine ? 'person' : 'bot', name, level: null, here: true, bot: false, grace: null, promise: null,
    }));
    const frame: TableFrame = {
      t: 'table', re: '', table: this.id, seq: ++this.#seq, version: VERSION, game: this.game, players,
      options: this.data.options, clock: null, hints: false, open: false, phase: 'playing', you: mine, host: false, join: null,
      commitment: '', seats, view, legal, turn: null, rest: null, log: [], chat: [], sheet: [], deal: null, rematch: null, again: null, former: null,
    };
    this.#listener(frame);
  }
}
