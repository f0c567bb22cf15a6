// What a round's scores are made of: its parts, each with the cards that made it, and reasons.

import type { EventData, LineData } from '../protocol';
import { isDeal } from './chronicle';
import type { Table } from './table.svelte';
import { sum } from '../sum';

export interface Part { name: string; points: number; cards: string[] }
export interface Scored { seat: number; parts: Part[]; reasons: string[]; gained: number; hurts: boolean; total: number }

/** All that happened in a round: some games score before its end. Who plays on from a moment begins within a round. */
export function eventsOf(log: LineData[], round: number): EventData[] {
  let now = log[0] && isDeal(log[0]) ? 0 : 1;
  return log.filter((line) => (isDeal(line) ? ++now : now) === round).flatMap((line) => line.events ?? []);
}

const WINNING: ReadonlySet<string> = new Set(['won', 'shared']); // what the title of a match's end says

/** How the last round ended, in sentences; not who has won the match. One that was broken off has none. */
export function endings(table: Table): string[] {
  if (table.agreed) return [];
  const events = eventsOf(table.log, table.sheet.length);
  return events.filter(({ name }) => table.weight(name) === 'end' && !WINNING.has(name)).map((event) => table.words!.event(event));
}

/** The move that ended the last round, and its cards: the table may have been cleared since. */
export function lastMove(table: Table): { text: string; cards: string[] } | null {
  const line = table.log.findLast((line) => !line.note && !isDeal(line));
  return line ? { text: table.words!.done(line), cards: line.action ? table.actions!.cards(line.action) : [] } : null;
}

/** Everybody's score of a round, best first. */
export function scoresOf(table: Table, round: number): Scored[] {
  const row = table.sheet[round - 1] ?? [];
  const events = eventsOf(table.log, round);
  const low = table.description!.low_wins;
  return row
    .map((points, seat) => ({ seat, points, gained: sum(Object.values(points)) }))
    .map(({ seat, points, gained }) => ({
      seat,
      parts: partsOf(points, events.filter((event) => event.name === 'scored' && event.seat === seat)),
      reasons: reasonsFor(table, events, seat),
      gained,
      hurts: low ? gained > 0 : gained < 0,
      total: sum(table.sheet.slice(0, round).flatMap((r) => Object.values(r[seat] ?? {}))),
    }))
    .sort((a, b) => (low ? a.total - b.total : b.total - a.total));
}

function partsOf(points: Record<string, number>, events: EventData[]): Part[] {
  return Object.entries(points).map(([name, n]) => ({
    name, points: n, cards: events.filter((event) => event.word === name).flatMap((event) => event.cards ?? []),
  }));
}

/** Why somebody scored as they did: "shows no blue and scores nothing". */
const reasonsFor = (table: Table, events: EventData[], seat: number): string[] =>
  events
    .filter((event) => event.name !== 'scored' && event.seat === seat && table.weight(event.name) === 'score')
    .map((event) => table.words!.event(event));
