// The table after every choice, as this viewer saw it.

import type { Changes, MovedFrame, View } from '../protocol';
import { patched } from '../views';

/** Who did what, and the entry that it belongs to. */
export type Line = [seat: number, text: string, seq?: number];
/** A round's score, by seat and by part. */
export type ScoreRow = NonNullable<MovedFrame['sheet']>;

export interface Moment {
  view: View;
  lines: Line[];
  /** How many actions had been made: a choice can have several. */
  number: number;
}

interface Told { view: Changes; lines: Line[]; number: number }

export interface History { start: View; moves: Told[] }

export function readHistory({ start, moves }: History): Moment[] {
  const moments: Moment[] = [{ view: start, lines: [], number: 0 }];
  for (const { view, lines, number } of moves) {
    moments.push({ view: patched(moments.at(-1)!.view, view), lines, number });
  }
  return moments;
}

/** The moment at which an action had been made. */
export function momentOf(moments: Moment[], number: number): number {
  const found = moments.findIndex((moment) => moment.number >= number);
  return found < 0 ? moments.length - 1 : found;
}
