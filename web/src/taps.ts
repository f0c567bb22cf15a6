// Actions as paths of taps. The page knows no rules: what can be tapped follows from the list of
// legal actions and from the taps that the game's description gives for each verb.

import type { Description, Kind, Verb, View } from './protocol';
import { isWithin, zoneName } from './views';

/** What a player has touched. */
export type Pick =
  | { kind: 'card'; zone: string; code: string; index: number }
  | { kind: 'zone'; zone: string }
  | { kind: 'button'; word: string };

export type Tap =
  | { kind: 'card'; zone: string; card: string; places: Set<string> }
  | { kind: 'zone'; zone: string }
  | { kind: 'button'; word: string; group: string | null };

export interface Said {
  verb: Verb;
  words: Record<string, string>;
}

export interface Path extends Said {
  action: string;
  taps: Tap[];
}

const place = (zone: string, code: string): string => `${zone}|${code}`;

export const samePick = (a: Pick, b: Pick): boolean => JSON.stringify(a) === JSON.stringify(b);

/** A game's actions, read from their texts. */
export class Actions {
  #patterns: { verb: Verb; names: string[]; pattern: RegExp }[];
  #read = new Map<string, Said | null>();
  kinds: Map<string, Kind>;

  constructor(readonly description: Description) {
    this.kinds = new Map(description.kinds.map((kind) => [kind.code, kind]));
    this.#patterns = description.verbs.map((verb) => {
      const names = [...verb.template.matchAll(/\{(\w+)\}/g)].map((found) => found[1]!);
      const literal = verb.template.split(/\{\w+\}/).map((part) => part.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&'));
      return { verb, names, pattern: new RegExp(`^${literal.join('(.+?)')}$`, 'u') };
    });
  }

  /** An action taken apart; null where a viewer did not see all of it. */
  read(text: string): Said | null {
    let said = this.#read.get(text);
    if (said === undefined) this.#read.set(text, (said = this.#parse(text)));
    return said;
  }

  #parse(text: string): Said | null {
    for (const { verb, names, pattern } of this.#patterns) {
      const found = pattern.exec(text);
      if (!found) continue;
      const words = Object.fromEntries(names.map((name, i) => [name, found[i + 1]!]));
      if (names.every((name) => verb.words[name]?.includes(words[name]!))) return { verb, words };
    }
    return null;
  }

  /** The cards that an action names. */
  cards(text: string): string[] {
    const said = this.read(text);
    return said ? Object.values(said.words).filter((word) => this.kinds.has(word)) : [];
  }

  paths(actions: string[], view: View, seat: number): Path[] {
    return actions.flatMap((action) => {
      const said = this.read(action);
      return said ? [{ ...said, action, taps: this.#taps(said, view, seat) }] : [];
    });
  }

  /** All paths that the cards on the table allow, whatever the rules say. */
  possible(view: View, seat: number): Path[] {
    const seats = view.scores.length;
    const held = new Set(this.#own(view, seat).map(({ code }) => code));
    return this.description.verbs.flatMap((verb) => {
      let words: Record<string, string>[] = [{}];
      for (const [name, all] of Object.entries(verb.words)) {
        const some = all.filter((word) =>
          name === 'card' ? held.has(word) : name !== 'seat' || Number(word) < seats,
        );
        words = words.flatMap((chosen) => some.map((word) => ({ ...chosen, [name]: word })));
      }
      return words
        .map((chosen) => ({ verb, words: chosen }))
        .map((said) => ({ ...said, action: written(said), taps: this.#taps(said, view, seat) }))
        .filter((path) => this.#isThere(path, view));
    });
  }

  #isThere(path: Path, view: View): boolean {
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

  #taps(said: Said, view: View, seat: number): Tap[] {
    return said.verb.taps.flatMap((step) => {
      const [form, each] = step.split('@') as [string, string?];
      const parts = each ? said.words[each]!.split('+') : [null];
      return parts.map((part) =>
        this.#tap(form, each ? { ...said.words, [each]: part! } : said.words, said, view, seat),
      );
    });
  }

  #tap(form: string, words: Record<string, string>, said: Said, view: View, seat: number): Tap {
    const step = filled(form, words);
    if (step.startsWith('=')) {
      return { kind: 'button', word: step.slice(1), group: /^=\{(\w+)\}$/.exec(form)?.[1] ?? null };
    }
    const [zone, card] = step.split('/') as [string, string?];
    const whole = this.#whole(zone, seat);
    if (card === undefined) return { kind: 'zone', zone: whole };
    return { kind: 'card', zone: whole, card, places: this.#places(whole, card, said, view, seat) };
  }

  /** A family of which each seat has its own means the zone of the seat that acts. */
  #whole(zone: string, seat: number): string {
    const family = this.description.families.find((f) => f.name === zone);
    return family?.per_seat ? zoneName(zone, seat, null) : zone;
  }

  /** Where the card of a tap lies: by its code, or by one of its words, such as its number. */
  #places(zone: string, card: string, said: Said, view: View, seat: number): Set<string> {
    const lying = Object.entries(view.zones)
      .filter(([name]) => isWithin(name, zone))
      .flatMap(([name, { cards = [] }]) => cards.map((code) => ({ zone: name, code })));
    let found = lying.filter(({ code }) => code === card);
    if (!found.length && !this.kinds.has(card)) found = this.#alike(lying, card, said);
    // Just drawn cards belong to the hand, though they may still lie beside it.
    if (!found.length) found = this.#own(view, seat).filter(({ code }) => code === card);
    return new Set(found.map((at) => place(at.zone, at.code)));
  }

  /** Of the cards with this word, those most like the card that is played. */
  #alike(lying: { zone: string; code: string }[], word: string, said: Said) {
    const played = Object.values(this.kinds.get(said.words.card ?? '')?.words ?? {});
    const likeness = (code: string): number =>
      Object.values(this.kinds.get(code)?.words ?? {}).filter((w) => played.includes(w)).length;
    const named = lying.filter(({ code }) =>
      Object.values(this.kinds.get(code)?.words ?? {}).includes(word),
    );
    const most = Math.max(0, ...named.map(({ code }) => likeness(code)));
    return named.filter(({ code }) => likeness(code) === most);
  }

  #own(view: View, seat: number): { zone: string; code: string }[] {
    return this.description.families
      .filter((family) => family.per_seat && family.spot === 'seat')
      .flatMap((family) => Object.entries(view.zones).filter(([name]) =>
        isWithin(name, zoneName(family.name, seat, null))))
      .flatMap(([name, { cards = [] }]) => cards.map((code) => ({ zone: name, code })));
  }
}

const filled = (form: string, words: Record<string, string>): string =>
  form.replace(/\{(\w+)\}/g, (gap, name: string) => words[name] ?? gap);

const written = (said: Said): string => filled(said.verb.template, said.words);

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

/** What can be tapped next. */
export interface Open {
  cards: Set<string>;
  zones: Set<string>;
  buttons: { word: string; group: string | null }[];
}

export function openAfter(paths: Path[], picks: Pick[]): Open {
  const open: Open = { cards: new Set(), zones: new Set(), buttons: [] };
  for (const path of going(paths, picks)) {
    const tap = path.taps[picks.length];
    if (tap?.kind === 'card') for (const at of tap.places) open.cards.add(at);
    else if (tap?.kind === 'zone') open.zones.add(tap.zone);
    else if (tap && !open.buttons.some((button) => button.word === tap.word)) {
      open.buttons.push({ word: tap.word, group: tap.group });
    }
  }
  return open;
}

export const isOpenCard = (open: Open, zone: string, code: string): boolean =>
  open.cards.has(place(zone, code));

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
export function foreseen(description: Description, view: View, path: Path, picks: Pick[]): View {
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
  description: Description, zones: View['zones'], tap: Tap, code: string,
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

function laidOn(description: Description, zone: View['zones'][string], name: string, code: string) {
  const family = familyOf(description, name);
  const cards = zone.cards ?? [];
  const size = zone.size + 1;
  if (!family?.pile || family.looked_through) return { ...zone, size, cards: [...cards, code] };
  return { size, cards: [code], known: [...(zone.known ?? []), ...cards] };
}
