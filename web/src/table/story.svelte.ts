// What has just happened, told at the table: a bubble at the seat that moved, a banner for what
// everyone waited for, a ring round the card that was laid last.

import type { EventData, LineData, MovedFrame } from '../protocol';
import { zonesOf } from '../views';
import type { Table } from './table.svelte';

const BUBBLE = 1700; // milliseconds
const BANNER = 2600;
const MOST_CARDS = 4;
const MOST_TOLD = 2; // sentences of a banner

interface Bubble { text: string; cards: string[] }
interface Banner { text: string; cards: string[] }

export class Story {
  bubbles = $state.raw<Record<number, Bubble>>({});
  banner = $state.raw<Banner | null>(null);
  /** Where cards have just come to lie, as `zone|card`. */
  #last = $state.raw<string[]>([]);
  #timers: Record<string, number> = {};

  constructor(readonly table: Table) {}

  isLast(zone: string, code: string): boolean {
    return this.#last.includes(`${zone}|${code}`);
  }

  hear(moved: MovedFrame): void {
    this.#mark(moved);
    if (moved.seat !== null && moved.seat !== this.table.you) this.#bubble(moved.seat, moved.lines);
    const told = this.outcomes(moved);
    if (told.length) this.#show(told);
  }

  /** All that is shown goes: the table has been caught up, or the next round dealt. */
  clear(): void {
    for (const timer of Object.values(this.#timers)) clearTimeout(timer);
    this.bubbles = {};
    this.banner = null;
    this.#last = [];
  }

  /** What everyone waited for: a trick taken, a lot sold; or that somebody has won a round which the others play on. */
  outcomes(moved: MovedFrame): EventData[] {
    const wanted = this.table.live?.round_over || this.table.live?.over ? ['outcome'] : ['outcome', 'end'];
    return moved.lines.flatMap((line) => line.events ?? []).filter((event) => wanted.includes(this.table.weight(event.name)));
  }

  #mark(moved: MovedFrame): void {
    const cards = moved.lines.flatMap((line) => (line.action ? (this.table.actions?.cards(line.action) ?? []) : []));
    const found = Object.entries(moved.view.zones ?? {}).flatMap(([zone, { cards: there }]) =>
      (there ?? []).filter((code) => cards.includes(code)).map((code) => `${zone}|${code}`));
    if (moved.seat !== null) this.#last = found;
  }

  #bubble(seat: number, lines: LineData[]): void {
    const { words, actions } = this.table;
    const done = lines.filter((line) => line.seat === seat);
    const cards = done.flatMap((line) => (line.action ? (actions?.cards(line.action) ?? []) : []));
    const last = done.at(-1);
    const verb = last?.action ? actions?.find(last.action)?.verb.name : last?.verb;
    const text = words?.find(`bubbles.${verb}`) ?? (cards.length || !last?.action ? '' : (words?.find(`buttons.${verb}`) ?? words?.label(last.action, seat) ?? ''));
    if (!text && (!cards.length || this.#liesBefore(seat))) return;
    this.bubbles = { ...this.bubbles, [seat]: { text, cards: cards.slice(-MOST_CARDS) } };
    this.#later(seat, BUBBLE, () => {
      const { [seat]: _said, ...rest } = this.bubbles;
      this.bubbles = rest;
    });
  }

  /** What was laid lies before that seat, with a ring round it: a bubble would only cover it. */
  #liesBefore(seat: number): boolean {
    const { description, players } = this.table;
    const mine = zonesOf(description!, players).filter((zone) => zone.seat === seat && zone.family.spot === 'seat');
    return this.#last.some((place) => mine.some(({ name }) => place.startsWith(`${name}|`)));
  }

  /** What more have done at once than can be told is to be seen before them. */
  #show(events: EventData[]): void {
    const { words } = this.table;
    const told = events.filter(({ name }) => events.filter((event) => event.name === name).length <= MOST_TOLD).slice(-MOST_TOLD);
    if (!told.length) return;
    const text = told.map((event) => words!.event(event)).join(' ');
    this.banner = { text, cards: told.flatMap((event) => event.cards ?? []).slice(0, MOST_CARDS) };
    this.#later('banner', BANNER, () => (this.banner = null));
  }

  #later(what: number | 'banner', wait: number, then: () => void): void {
    clearTimeout(this.#timers[what]);
    this.#timers[what] = window.setTimeout(then, wait);
  }
}
