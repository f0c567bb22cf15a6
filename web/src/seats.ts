// The seats that are mine: table → token, kept in this browser.

import { contributes, newContribution, promiseOf } from './deals';
import { guest } from './guest';
import type { Again, NewTable, TakeSeat } from './protocol';
import { makeTable, takeSeat } from './service';
import { settings } from './settings.svelte';

interface MySeat { token: string; seat: number; at: number }

const PLACE = 'kibitz.seats';
const MOST = 100;

function all(): Record<string, MySeat> {
  try {
    return JSON.parse(localStorage.getItem(PLACE) ?? '{}') as Record<string, MySeat>;
  } catch {
    return {};
  }
}

function keep(seats: Record<string, MySeat>): void {
  const newest = Object.entries(seats).sort((a, b) => b[1].at - a[1].at).slice(0, MOST);
  try {
    localStorage.setItem(PLACE, JSON.stringify(Object.fromEntries(newest)));
  } catch {
    // Without a store the seat lasts as long as the page.
  }
}

const here = new Map<string, MySeat>();

export function sitDown(table: string, token: string, seat: number): void {
  const mine = { token, seat, at: Date.now() };
  here.set(table, mine);
  keep({ ...all(), [table]: mine });
}

export function standUp(table: string): void {
  here.delete(table);
  const { [table]: _gone, ...rest } = all();
  keep(rest);
}

export const tokenFor = (table: string): string | undefined =>
  (here.get(table) ?? all()[table])?.token;

export const myTokens = (): string[] => Object.values(all()).map((seat) => seat.token);

/** Tables made by "play now": there the cards are dealt as soon as I sit down. */
export const dealAtOnce = new Set<string>();

/** Make a table and sit down, with a promise for the deal; where. */
export async function sitAtNew(wish: NewTable): Promise<string> {
  const mine = newContribution();
  const made = await makeTable({ ...wish, promise: promiseOf(mine) });
  contributes(made.table, made.commitment, mine);
  sitDown(made.table, made.token, made.seat);
  return made.table;
}

/** Take up a match that is over, against bots at once, or (no seat is named) with whom the link is sent to. */
export async function takeUp(game: string, players: number, again: Again, seat: number | null): Promise<string> {
  const bots = seat === null ? [] : Array.from({ length: players }, (_, n) => (n === seat ? null : settings.level));
  const table = await sitAtNew({ game, name: guest(), bots, again });
  if (seat !== null) dealAtOnce.add(table);
  return table;
}

/** Sit down at a table of others, with a promise for the deal. */
export async function sitAt(table: string, commitment: string, wish: TakeSeat): Promise<void> {
  const mine = newContribution();
  const taken = await takeSeat(table, { ...wish, promise: promiseOf(mine) });
  contributes(table, commitment, mine);
  sitDown(table, taken.token, taken.seat);
}
