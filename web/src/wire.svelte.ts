// One WebSocket for everything that happens at tables. Being cut off is the normal case:
// commands keep their id and are sent again until they are answered, and count once.

import type { Command, Frame, NoFrame } from './protocol';
import { Refused } from './service';

const RESEND_MS = 2500;
const EARLY_MS = 500;
const SHOW_CUT_MS = 800;
const BACKOFF_MS = [100, 200, 400, 800, 1000];

type Without<C, K extends PropertyKey> = C extends unknown ? Omit<C, K> : never;
/** A command as it is asked for; its id is given here. */
export type Asked = Without<Command, 'id'>;
/** The same for the table where one is. */
export type AskedHere = Without<Extract<Command, { table: string }>, 'id' | 'table'>;
interface Waiting {
  text: string;
  tries: number;
  /** The game was not ready for it yet. */
  early: boolean;
  timer: number | undefined;
  resolve: (frame: Frame) => void;
  reject: (refused: Refused) => void;
}

/** What a table listens to, and asks: a server, or a lesson. */
export interface Link {
  /** Something is being shown, and nothing can be done meanwhile. */
  readonly busy?: boolean;
  join(listener: (frame: Frame) => void, greeting: () => void): () => void;
  command<T extends Frame = Frame>(command: Asked): Promise<T>;
}

class Wire implements Link {
  /** Whether the player should know that there is no connection. */
  cut = $state(false);
  /** Whether something waits for a game that the server is still getting ready. */
  preparing = $state(false);

  #socket: WebSocket | null = null;
  #waiting = new Map<string, Waiting>();
  #listeners = new Set<(frame: Frame) => void>();
  #greetings = new Set<() => void>();
  #attempt = 0;
  #timer: number | undefined;
  #cutTimer: number | undefined;
  #session = Math.random().toString(36).slice(2, 10);
  #count = 0;

  get supported(): boolean {
    return typeof WebSocket !== 'undefined';
  }

  /** Hear every frame, and be told whenever the connection stands anew. */
  join(listener: (frame: Frame) => void, greeting: () => void): () => void {
    this.#listeners.add(listener);
    this.#greetings.add(greeting);
    if (this.#socket?.readyState === WebSocket.OPEN) greeting();
    else this.#connect();
    return () => {
      this.#listeners.delete(listener);
      this.#greetings.delete(greeting);
      if (!this.#greetings.size) this.#hangUp();
    };
  }

  command<T extends Frame = Frame>(command: Asked): Promise<T> {
    const id = `${this.#session}-${++this.#count}`;
    return new Promise<Frame>((resolve, reject) => {
      const text = JSON.stringify({ ...command, id });
      this.#waiting.set(id, { text, tries: 0, early: false, timer: undefined, resolve, reject });
      this.#send(id);
    }) as Promise<T>;
  }

  /** Find out whether the line still stands, e.g. when the machine has been asleep. */
  probe(): void {
    if (!this.#greetings.size) return;
    if (this.#socket?.readyState === WebSocket.OPEN) this.command({ do: 'ping' }).catch(() => {});
    else this.#connect();
  }

  #connect(): void {
    clearTimeout(this.#timer);
    const state = this.#socket?.readyState;
    if (state === WebSocket.OPEN || state === WebSocket.CONNECTING || !this.supported) return;
    const scheme = location.protocol === 'https:' ? 'wss' : 'ws';
    const socket = new WebSocket(`${scheme}://${location.host}/ws`);
    this.#socket = socket;
    socket.onopen = () => this.#opened();
    socket.onmessage = (event) => this.#heard(JSON.parse(event.data as string) as Frame);
    socket.onclose = () => this.#closed(socket);
    this.#showCutSoon();
  }

  #opened(): void {
    this.#attempt = 0;
    clearTimeout(this.#cutTimer);
    this.#cutTimer = undefined;
    this.cut = false;
    const unanswered = [...this.#waiting.keys()];
    for (const greeting of this.#greetings) greeting();
    for (const id of unanswered) this.#send(id);
  }

  #closed(socket: WebSocket): void {
    if (socket !== this.#socket) return;
    this.#socket = null;
    for (const waiting of this.#waiting.values()) clearTimeout(waiting.timer);
    if (!this.#greetings.size && !this.#waiting.size) return;
    this.#showCutSoon();
    const pause = BACKOFF_MS[Math.min(this.#attempt++, BACKOFF_MS.length - 1)];
    this.#timer = window.setTimeout(() => this.#connect(), pause);
  }

  #showCutSoon(): void {
    this.#cutTimer ??= window.setTimeout(() => {
      this.cut = this.#socket?.readyState !== WebSocket.OPEN;
    }, SHOW_CUT_MS);
  }

  #hangUp(): void {
    clearTimeout(this.#timer);
    clearTimeout(this.#cutTimer);
    this.#cutTimer = undefined;
    this.cut = false;
    // Nobody waits for answers any more, and an old `exit` must not follow a new `enter`.
    for (const waiting of this.#waiting.values()) clearTimeout(waiting.timer);
    this.#waiting.clear();
    this.preparing = false;
    const socket = this.#socket;
    this.#socket = null;
    socket?.close();
  }

  #send(id: string): void {
    const waiting = this.#waiting.get(id);
    if (!waiting) return;
    clearTimeout(waiting.timer);
    if (this.#socket?.readyState !== WebSocket.OPEN) {
      this.#connect();
      return;
    }
    if (waiting.tries++ > 1) {
      // Two sendings without a word: this line is dead, whatever the browser thinks.
      waiting.tries = 0;
      const dead = this.#socket;
      dead.close();
      this.#closed(dead);
      return;
    }
    this.#socket.send(waiting.text);
    waiting.timer = window.setTimeout(() => this.#send(id), RESEND_MS);
  }

  #heard(frame: Frame): void {
    const re = 're' in frame ? frame.re : null;
    const waiting = re ? this.#waiting.get(re) : undefined;
    if (re && waiting) {
      clearTimeout(waiting.timer);
      waiting.early = frame.t === 'no' && frame.error === 'getting_ready';
      if (waiting.early) {
        waiting.tries = 0;
        waiting.timer = window.setTimeout(() => this.#send(re), EARLY_MS);
      } else {
        this.#waiting.delete(re);
      }
      this.preparing = [...this.#waiting.values()].some((one) => one.early);
      if (waiting.early) return;
    }
    for (const listener of this.#listeners) listener(frame);
    if (!waiting) return;
    if (frame.t === 'no') waiting.reject(refusal(frame));
    else waiting.resolve(frame);
  }
}

function refusal(frame: NoFrame): Refused {
  return new Refused(frame.error, frame.text, frame.rule ?? null, frame.wait ?? null);
}

export const wire = new Wire();

for (const event of ['online', 'offline']) addEventListener(event, () => wire.probe());
document.addEventListener('visibilitychange', () => {
  if (!document.hidden) wire.probe();
});
