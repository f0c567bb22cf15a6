// The table after every choice, as this viewer saw it.

import type { HistoryData, LineData, MovedFrame, ViewData } from '../protocol';
import { patched } from '../views';

/** A round's score, by seat and by part. */
export type ScoreRow = NonNullable<MovedFrame['sheet']>;

export interface Moment {
  view: ViewData;
  lines: LineData[];
  seq: number;
}

export function readHistory({ start, lines, moves }: HistoryData): Moment[] {
  const moments: Moment[] = [{ view: start, lines, seq: lines[0]?.seq ?? 0 }];
  for (const move of moves) {
    moments.push({ view: patched(moments.at(-1)!.view, move.view), lines: move.lines, seq: move.seq });
  }
  return moments;
}

/** With `have` a log holds only what is new, otherwise all of it; what was taken back is no part of it. */
export function joined(had: LineData[], came: LineData[]): LineData[] {
  const first = came[0]?.seq ?? Infinity;
  const since = Math.min(Infinity, ...came.flatMap((line) => line.since || []));
  return [...had.filter((line) => line.seq < first && (line.note || line.seq < since)), ...came];
}

/** The moment of an entry. */
export function momentOf(moments: Moment[], seq: number): number {
  const found = moments.findIndex((moment) => moment.seq >= seq);
  return found < 0 ? moments.length - 1 : found;
}
