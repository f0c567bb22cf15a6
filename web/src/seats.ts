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

const botsBut = (people: number[], players: number): (string | null)[] =>
  Array.from({ length: players }, (_, seat) => (people.includes(seat) ? null : settings.level));

/** Take up a match that is over at a seat, against bots, at once. */
export async function takeUp(game: string, players: number, again: Again, seat: number): Promise<string> {
  const table = await sitAtNew({ game, name: guest(), bots: botsBut([seat], players), again });
  dealAtOnce.add(table);
  return table;
}

/** The same deal for whoever follows the link: they get the cards that I had, and I sit down beside them. */
export function challenge(game: string, players: number, again: Again, mine: number): Promise<string> {
  const seat = (mine + 1) % players;
  return sitAtNew({ game, name: guest(), bots: botsBut([mine, seat], players), seat, again });
}

/** Sit down at a table of others, with a promise for the deal. */
export async function sitAt(table: string, commitment: string, wish: TakeSeat): Promise<void> {
  const mine = newContribution();
  const taken = await takeSeat(table, { ...wish, promise: promiseOf(mine) });
  contributes(table, commitment, mine);
  sitDown(table, taken.token, taken.seat);
}
