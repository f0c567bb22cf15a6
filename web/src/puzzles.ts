// Which puzzle is the puzzle of the day, and how one did at it.

import { settings } from './settings.svelte';

const DAY = 24 * 60 * 60 * 1000;

/** The number of a day, by the calendar of who plays. */
export function today(now: Date = new Date()): number {
  return Math.floor((now.getTime() - now.getTimezoneOffset() * 60_000) / DAY);
}

/** All come up once before one comes again. */
export const ofTheDay = (day: number, all: number): number => day % all;

/** How many tries it took today; null if it is not solved yet. */
export function triesToday(game: string): number | null {
  const result = settings.puzzles[game];
  return result?.day === today() ? result.tries : null;
}

/** The first result of a day counts. */
export function solvedToday(game: string, tries: number): void {
  if (triesToday(game) === null) settings.puzzles = { ...settings.puzzles, [game]: { day: today(), tries } };
}
