// What the players must agree upon, in words: who asks, who agrees, what came of it.

import type { LineData, SeatData } from '../protocol';
import { say } from '../say.svelte';
import type { Table } from './table.svelte';

/** A line of the log that is about the match. */
export const noted = (table: Table, line: LineData): string => say(`log_${line.note!}`, { who: table.name(line.seat ?? 0) });

/** What somebody asks of all, as one of them reads it. */
export const request = (table: Table, seat: number, what: 'undo' | 'end'): string =>
  seat === table.you ? say(`asked_${what}`) : say(`asks_${what}`, { who: table.name(seat) });

/** What has been asked or answered since the seats were as before. */
export function answers(table: Table, before: SeatData[], now: SeatData[]): string[] {
  const asked = now.flatMap(({ asks }, seat) => {
    if (!asks || asks === before[seat]?.asks) return [];
    return [asks === 'agree' ? say('agrees', { who: table.name(seat) }) : request(table, seat, asks)];
  });
  const isOff = before.some(({ asks }) => asks) && !now.some(({ asks }) => asks);
  return isOff ? [say('asks_no_more')] : asked;
}
