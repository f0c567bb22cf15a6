// Actions as paths of taps. The page knows no rules: what can be tapped follows from the list of
// legal actions, and from the taps that the game's description gives for each action.

import type { Description, VerbData, ViewData } from './protocol';
import { isWithin, zoneName } from './views';

/** What a player has touched. */
export type Pick =
  | { kind: 'card'; zone: string; code: string; index: number }
  | { kind: 'zone'; zone: string }
  | { kind: 'button'; word: string };

/** A tap of an action at this table: a card can lie in several places. */
export type Tap =
  | { kind: 'card'; zone: string; card: string; places: Set<string> }
  | { kind: 'zone'; zone: string }
  | { kind: 'button'; word: string; group: string | null };

export interface Action {
  text: string;
  verb: VerbData;
  words: Record<string, string>;
  /** As in the description: `hand/r5`, `discard`, `=done`, `=colour/red`. */
  steps: string[];
}

export interface Path {
  action: Action;
  taps: Tap[];
}

const place = (zone: string, code: string): string => `${zone}|${code}`;

/** Whether a card is among those named with a place, `hand.0|r5`, or without one, `r5`. */
export const isAmong = (named: string[], zone: string, code: string): boolean =>
  named.some((name) => name === code || (name.endsWith(`|${code}`) && isWithin(zone, name.slice(0, -code.length - 1))));

export const samePick = (a: Pick, b: Pick): boolean => JSON.stringify(a) === JSON.stringify(b);

/** A game's actions. */
export class Actions {
  #all: Action[];
  #byText: Map<string, Action>;
  #partsOf = new Map<string, string[]>();
  #codes: Set<string>;

  constructor(readonly description: Description) {
    this.#all = description.actions.map(([text, n, words, steps]) => {
      const verb = description.verbs[n]!;
      return { text, verb, steps, words: Object.fromEntries(verb.words.map((name, i) => [name, words[i]!])) };
    });
    this.#byText = new Map(this.#all.map((action) => [action.text, action]));
    this.#codes = new Set(description.kinds.map((kind) => kind.code));
    for (const { name, part_of: whole } of description.families) {
      if (whole) this.#partsOf.set(whole, [...(this.#partsOf.get(whole) ?? []), name]);
    }
  }

  find(text: string): Action | null {
    return this.#byText.get(text) ?? null;
  }

  /** The cards that an action names. */
  cards(text: string): string[] {
    return Object.values(this.find(text)?.words ?? {}).filter((word) => this.#codes.has(word));
  }

  /** The cards that these steps mean, and where: `hand/r5` is no other r5 of the table. */
  places(steps: string[], seat: number): string[] {
    const cards = steps.filter((step) => step.includes('/') && !step.startsWith('='));
    return cards.map((step) => step.split('/') as [string, string])
      .flatMap(([zone, code]) => this.#zonesOf(zone, seat).map((whole) => place(whole, code)));
  }

  /** The zones that these steps mean, without a card. */
  zones(steps: string[], seat: number): string[] {
    return steps.filter((step) => !/[=/]/.test(step)).map((step) => this.#whole(step, seat));
  }

  paths(texts: string[], view: ViewData, seat: number): Path[] {
    return texts.flatMap((text) => {
      const action = this.find(text);
      return action ? [this.#path(action, view, seat)] : [];
    });
  }

  /** All paths that the cards on the table allow, whatever the rules say. */
  possible(view: ViewData, seat: number): Path[] {
    const seats = view.scores.length;
    return this.#all
      .filter((action) => Number(action.words.seat ?? 0) < seats)
      .map((action) => this.#path(action, view, seat))
      .filter((path) => this.#isThere(path, view));
  }

  #isThere(path: Path, view: ViewData): boolean {
    const wanted = new Map<string, number>();
    for (const tap of path.taps) {
      if (tap.kind !== 'card') continue;
      const at = [...tap.places][0];
      if (at === undefined) return false;
      wanted.set(at, (wanted.get(at) ?? 0) + 1);
    }
    return [...wanted].every(([at, count]) => {
      const [zone, code] = at.split('|') as [string, string];
      return (view.zones[zone]?.cards ?? []).filter((card) => card === code).length >= count;
    });
  }

  #path(action: Action, view: ViewData, seat: number): Path {
    return { action, taps: action.steps.map((step) => this.#tap(step, view, seat)) };
  }

  #tap(step: string, view: ViewData, seat: number): Tap {
    const [first, second] = step.replace(/^=/, '').split('/') as [string, string?];
    if (step.startsWith('=')) return { kind: 'button', word: second ?? first, group: second ? first : null };
    const zone = this.#whole(first, seat);
    if (second === undefined) return { kind: 'zone', zone };
    const zones = this.#zonesOf(first, seat);
    const places = Object.entries(view.zones)
      .filter(([name, { cards }]) => cards?.includes(second) && zones.some((whole) => isWithin(name, whole)))
      .map(([name]) => place(name, second));
    return { kind: 'card', zone, card: second, places: new Set(places) };
  }

  /** A zone, and what belongs to it but lies beside it. */
  #zonesOf(zone: string, seat: number): string[] {
    return [zone, ...(this.#partsOf.get(zone) ?? [])].map((name) => this.#whole(name, seat));
  }

  /** A family of which each seat has its own means the zone of the seat that acts. */
  #whole(zone: string, seat: number): string {
    const family = this.description.families.find((f) => f.name === zone);
    return family?.per_seat ? zoneName(zone, seat, null) : zone;
  }
}

export function accepts(tap: Tap | undefined, pick: Pick): boolean {
  if (!tap || tap.kind !== pick.kind) return false;
  if (tap.kind === 'button') return tap.word === (pick as { word: string }).word;
  if (tap.kind === 'zone') return isWithin((pick as { zone: string }).zone, tap.zone);
  const { zone, code } = pick as { zone: string; code: string };
  return tap.places.has(place(zone, code));
}

/** The paths that begin with these taps. */
export function going(paths: Path[], picks: Pick[]): Path[] {
  return paths.filter((path) => picks.every((pick, i) => accepts(path.taps[i], pick)));
}

/** Which of the picks a tap takes back, -1 for none: a place that can be meant once more is not taken back. */
export function takenBack(paths: Path[], picks: Pick[], pick: Pick): number {
  if (pick.kind === 'zone' && going(paths, [...picks, pick]).length) return -1;
  return picks.findIndex((p) => samePick(p, pick));
}

/** What can be tapped next. */
export interface Open {
  /** The places of cards, each with the first verb that it begins. */
  cards: Map<string, string>;
  zones: Set<string>;
  buttons: { word: string; group: string | null }[];
}

export function openAfter(paths: Path[], picks: Pick[]): Open {
  const open: Open = { cards: new Map(), zones: new Set(), buttons: [] };
  for (const path of going(paths, picks)) {
    const tap = path.taps[picks.length];
    if (tap?.kind === 'card') for (const at of tap.places) open.cards.set(at, open.cards.get(at) ?? path.action.verb.name);
    else if (tap?.kind === 'zone') open.zones.add(tap.zone);
    else if (tap && !open.buttons.some((button) => button.word === tap.word)) {
      open.buttons.push({ word: tap.word, group: tap.group });
    }
  }
  return open;
}

export const isOpenCard = (open: Open, zone: string, code: string): boolean =>
  open.cards.has(place(zone, code));

export const verbOf = (open: Open, zone: string, code: string): string | undefined =>
  open.cards.get(place(zone, code));

/**
 * The path that these taps make, if there is no doubt left: it is complete, or it is the only
 * one and needs nothing but the place where the cards go.
 */
export function settled(paths: Path[], picks: Pick[]): Path | null {
  const left = going(paths, picks);
  const whole = left.filter((path) => path.taps.length === picks.length);
  if (whole.length) return left.length === whole.length ? whole[0]! : null;
  const only = left.length === 1 ? left[0]! : null;
  const rest = only?.taps.slice(picks.length) ?? [];
  return only && picks.length && rest.every((tap) => tap.kind === 'zone') ? only : null;
}

/** The view as it will look after a path, as far as the page can tell without the rules. */
export function foreseen(description: Description, view: ViewData, path: Path, picks: Pick[]): ViewData {
  const chosen = picks.filter((pick) => pick.kind === 'card');
  const lead = path.taps.findIndex((tap) => tap.kind !== 'card' || tap.zone !== cardZone(path.taps[0]));
  const sources = chosen.slice(0, lead < 0 ? chosen.length : lead);
  const targets = lead < 0 ? [] : path.taps.slice(lead).filter((tap) => tap.kind !== 'button');
  const zones = { ...view.zones };
  sources.forEach((pick, i) => {
    const tap = targets[i];
    const to = tap && landing(description, zones, tap, pick.code);
    const from = zones[pick.zone];
    if (!to || !from?.cards) return;
    const at = from.cards.indexOf(pick.code);
    zones[pick.zone] = { ...from, size: from.size - 1, cards: from.cards.toSpliced(at, 1) };
    zones[to] = laidOn(description, zones[to]!, to, pick.code);
  });
  return { ...view, zones };
}

const cardZone = (tap: Tap | undefined): string | null => (tap?.kind === 'card' ? tap.zone : null);

const familyOf = (description: Description, zone: string) =>
  description.families.find((family) => isWithin(zone, family.name));

/** The very zone where a card will lie: of several parts, its own colour's or the first free. */
function landing(
  description: Description, zones: ViewData['zones'], tap: Tap, code: string,
): string | null {
  if (tap.kind === 'button') return null;
  if (tap.kind === 'card') return [...tap.places][0]?.split('|')[0] ?? null;
  if (zones[tap.zone]) return tap.zone;
  const parts = Object.keys(zones).filter((name) => isWithin(name, tap.zone));
  const words = Object.values(description.kinds.find((kind) => kind.code === code)?.words ?? {});
  return (
    parts.find((name) => words.includes(name.slice(tap.zone.length + 1))) ??
    parts.find((name) => zones[name]!.size === 0) ??
    null
  );
}

function laidOn(description: Description, zone: ViewData['zones'][string], name: string, code: string) {
  const family = familyOf(description, name);
  const cards = zone.cards ?? [];
  const size = zone.size + 1;
  if (!family?.pile || family.looked_through) return { ...zone, size, cards: [...cards, code] };
  return { size, cards: [code], known: [...(zone.known ?? []), ...cards] };
}

/** The table with the last card of a trick in it, where the trick was taken in the same move. */
export function lastOfTrick(
  description: Description, action: Action | null, seat: number, before: ViewData, after: ViewData,
): ViewData | null {
  const [hand, code] = action?.steps[0]?.split('/') ?? [];
  const family = description.families.find(({ name }) => name === action?.steps[1]);
  if (!hand || !code || family?.look !== 'trick') return null;
  const from = zoneName(hand, seat, null);
  const to = zoneName(family.name, family.per_seat ? seat : null, null);
  const [held, trick] = [before.zones[from], before.zones[to]];
  if (!held || !trick || after.zones[to]?.cards?.includes(code)) return null;
  const left = { ...held, size: held.size - 1 };
  if (held.cards) left.cards = held.cards.toSpliced(held.cards.indexOf(code), 1);
  const zones = { ...before.zones, [from]: left, [to]: laidOn(description, trick, to, code) };
  return { ...before, due: after.due, zones };
}
