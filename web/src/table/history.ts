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

/** The moment of an entry. */
export function momentOf(moments: Moment[], seq: number): number {
  const found = moments.findIndex((moment) => moment.seq >= seq);
  return found < 0 ? moments.length - 1 : found;
}
