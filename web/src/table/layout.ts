// Where everybody sits, and how large cards can be: counted in card widths, so that the style sheet
// can work out the rest from the room there is.

import type { Description, FamilyData, ViewData } from '../protocol';
import { isWithin, zoneName } from '../views';
import { sum } from '../sum';

/** A place at the table: left, top left, top, top right, right. */
export type Place = 'l' | 'tl' | 't' | 'tr' | 'r';

const AROUND: Record<number, readonly Place[]> = {
  1: [],
  2: ['t'],
  3: ['l', 'r'],
  4: ['l', 't', 'r'],
  5: ['l', 'tl', 'tr', 'r'],
  6: ['l', 'tl', 't', 'tr', 'r'],
};

/** The others in the order of play, from my left. */
export function around(players: number, me: number): { seat: number; place: Place }[] {
  return (AROUND[players] ?? []).map((place, i) => ({ place, seat: (me + 1 + i) % players }));
}

/** Where a seat's card of a trick lies: in the middle if it is mine, else left or right of that, before its seat. */
export function inTrick(players: number, me: number, seat: number): string {
  const others = around(players, me);
  const at = others.findIndex((other) => other.seat === seat);
  if (at < 0) return 'mine';
  const besideMe = players > 3 && (at === 0 || at === others.length - 1);
  return `${at < others.length / 2 ? 'left' : 'right'} ${besideMe ? 'beside' : 'across'}`;
}

/** Zones that lie before a seat, and need room there. */
export const liesAtSeat = (family: FamilyData): boolean =>
  family.spot === 'seat' && family.per_seat && !family.part_of && !family.rare && ['stacks', 'row', 'fan', 'pile'].includes(family.look);

/** Card widths that are needed side by side, and how high that is: in one line, and in two; and pixels between them. */
export interface Room { u1: number; h1: number; u2: number; h2: number; lines: number; gaps: number }

interface Size { u: number; h: number }

export const HIGH = 1.4; // a card's height in widths
export const PEEK = 0.3; // what shows of a covered card
export const MOST_PEEKS = 2;
const TRICK = 1.02;
export const LOT = 1.25;
export const CLOSED = 0.74; // a pile that lies face down
export const TOKEN = 0.8;
const BETWEEN = 0.12; // two stacks
const UNDER = 0.3; // what is said under a token
const GAP = 14; // between things before a seat, in pixels

/** How much of each card shows where so many lie side by side, in card widths. */
export function stripOf({ look }: FamilyData, cards: number): number {
  if (look === 'row' && cards <= 3) return 0.72;
  return cards <= 4 ? 0.44 : 0.34;
}

/** The most that any seat has, so that all have cards of one size; hands lie open before some of them. */
export function roomAtSeats(description: Description, view: ViewData, open: number[] = []): Room {
  const seats = view.scores.map((_, seat) => seat);
  const lying = description.families.filter((family) => liesAtSeat(family) || (family.look === 'hand' && open.length));
  const sizes = lying
    .map((family) => (family.look === 'hand' ? open : seats).map((seat) => sizeOf(family, view, seat)).reduce(larger))
    .filter(({ u }) => u > 0);
  const gaps = Math.max(open.length ? 30 : 10, GAP * (sizes.length - 1) + 2);
  if (!sizes.length) return { u1: 3, h1: HIGH, u2: 3, h2: HIGH, lines: 1, gaps };
  const one = { u: sum(sizes.map(({ u }) => u)), h: Math.max(...sizes.map(({ h }) => h)) };
  if (sizes.length === 1) {
    return { u1: Math.max(2, one.u), h1: one.h, u2: Math.max(2, Math.ceil(one.u / 2)), h2: 2 * one.h, lines: 1, gaps };
  }
  // Several families: two lines, filled as they come.
  let first = 0;
  let at = 0;
  while (at < sizes.length - 1 && first < one.u / 2) first += sizes[at++]!.u;
  const rest = sum(sizes.slice(at).map(({ u }) => u));
  return { u1: one.u, h1: one.h, u2: Math.max(first, rest), h2: 2 * one.h, lines: 2, gaps };
}

const larger = (a: Size, b: Size): Size => ({ u: Math.max(a.u, b.u), h: Math.max(a.h, b.h) });
function sizeOf(family: FamilyData, view: ViewData, seat: number | null): Size {
  const whole = zoneName(family.name, seat, null);
  const zones = Object.entries(view.zones).filter(([name]) => isWithin(name, whole)).map(([, zone]) => zone);
  const cards = sum(zones.map(({ size }) => size));
  if (family.look === 'stacks' && seat !== null) {
    const stacks = zones.filter(({ size }) => size);
    const deep = family.looked_through ? Math.max(0, ...stacks.map(({ size }) => Math.min(MOST_PEEKS, size - 1))) : 0;
    // Room for one more, where cards can be laid beside the others; else for what is between them.
    return { u: stacks.length + (family.looked_through ? BETWEEN * Math.max(0, stacks.length - 1) : 0.6), h: HIGH + PEEK * deep };
  }
  if (family.look === 'stacks') return { u: zones.length, h: HIGH + 0.24 };
  if (family.look === 'trick') return { u: view.scores.length * TRICK, h: HIGH + 0.24 };
  if (family.look === 'row' || family.look === 'fan' || family.look === 'hand') {
    return { u: cards ? 1 + stripOf(family, cards) * (cards - 1) : 0, h: HIGH };
  }
  if (family.look === 'lot') return { u: LOT, h: HIGH * LOT };
  return { u: isClosed(family, view) ? CLOSED : 1, h: HIGH };
}

/** Cards that lie face down in no order: none of them is on top, even where all are known. */
export const isUnordered = (family: FamilyData): boolean => family.look === 'pile' && !family.pile;

/** Whether nobody sees what lies on top. A pile without an order stays as it is when its last card has gone. */
export function isClosed(family: FamilyData, view: ViewData): boolean {
  const zone = view.zones[family.name];
  return family.look === 'pile' && !family.per_seat && (isUnordered(family) || (!!zone?.size && !zone.cards?.length));
}

export const inCentre = (description: Description): FamilyData[] =>
  description.families.filter(({ spot, look }) => spot === 'centre' && look !== 'none' && look !== 'counter');

/** The widest zone of the centre gets a line of its own where there is little width. */
export function roomInCentre(description: Description, view: ViewData, players: number): Room & { big: string | null } {
  const sizes = inCentre(description).map((family) => ({ name: family.name, ...sizeOf(family, view, null) }));
  const tokens = description.tokens.map((name) => ({ name, u: TOKEN, h: TOKEN * HIGH + UNDER }));
  const all = [...sizes, ...tokens];
  if (!all.length) return { u1: 1, h1: HIGH, u2: 1, h2: HIGH, lines: 1, gaps: 0, big: null };
  const pieces = Math.max(0, ...inCentre(description).map(({ look, parts }) => (look === 'trick' ? players : parts.length) - 1));
  const wide = all.reduce((a, b) => (b.u > a.u ? b : a));
  const rest = all.filter((size) => size !== wide);
  const high = Math.max(...all.map(({ h }) => h));
  return {
    u1: sum(all.map(({ u }) => u)), h1: high,
    u2: Math.max(wide.u, sum(rest.map(({ u }) => u))), h2: wide.h + Math.max(0, ...rest.map(({ h }) => h)),
    lines: 2, gaps: 30 * all.length + 14 * pieces, big: rest.length && wide.u > 2 ? wide.name : null,
  };
}

/** The room as custom properties of a style. */
export const asStyle = ({ u1, h1, u2, h2, lines, gaps }: Room): string =>
  `--u1:${u1.toFixed(2)};--h1:${h1.toFixed(2)};--u2:${u2.toFixed(2)};--h2:${h2.toFixed(2)};--l2:${lines};--gaps:${gaps}`;
