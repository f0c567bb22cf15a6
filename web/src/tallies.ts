// What the cards of a zone come to, and the numbers beside a prompt: worked out from a view, as in
// kibitz/engine/tallies.py.

import type { Description, FigureData, ViewData, ZoneData } from './protocol';
import { isWithin, zoneName } from './views';
import { sum } from './sum';

export class Tallies {
  constructor(readonly description: Description) {}

  #family(name: string) {
    return this.description.families.find((family) => family.name === name)!;
  }

  #zones(view: ViewData, name: string, seat: number | null): ZoneData[] {
    const whole = zoneName(name, this.#family(name).per_seat ? seat : null, null);
    return Object.entries(view.zones).filter(([zone]) => isWithin(zone, whole)).map(([, zone]) => zone);
  }

  /** The cards that count; null where some of them are not seen. */
  counted(view: ViewData, name: string, seat: number | null): string[] | null {
    const zones = this.#zones(view, name, seat);
    if (this.#family(name).tally?.tops) return zones.flatMap((zone) => (zone.cards ?? []).slice(-1));
    if (zones.some((zone) => zone.size > (zone.cards?.length ?? 0))) return null;
    return zones.flatMap((zone) => zone.cards ?? []);
  }

  /** What a family's cards come to at a seat: their worth, or how many they are. */
  comeTo(view: ViewData, name: string, seat: number | null): number | null {
    const { tally } = this.#family(name);
    const sizes = this.#zones(view, name, seat).map((zone) => zone.size);
    if (!tally) return sum(sizes);
    const { by_size: bySize, worth } = tally;
    if (bySize.length) return sum(sizes.map((size) => bySize[Math.min(size, bySize.length - 1)]!));
    const cards = this.counted(view, name, seat);
    if (!cards) return null;
    return this.lacking(view, name, seat).length ? 0 : sum(cards.map((card) => worth[card] ?? 0));
  }

  /** What a family's cards come to at a seat, summed up: how many there are of each worth, the least first. */
  summands(view: ViewData, name: string, seat: number | null): { worth: number; count: number }[] {
    const worth = this.#family(name).tally?.worth ?? {};
    const each = (this.counted(view, name, seat) ?? []).map((card) => worth[card] ?? 0).filter(Boolean).sort((a, b) => a - b);
    return [...new Set(each)].map((one) => ({ worth: one, count: each.filter((other) => other === one).length }));
  }

  /** The words that a family's cards name, such as the colours that they block. */
  named(view: ViewData, name: string, seat: number | null): string[] {
    const names = this.#family(name).tally?.names;
    return names ? this.#words(names, this.counted(view, name, seat) ?? []) : [];
  }

  /** The words without which a family's cards come to nothing. */
  lacking(view: ViewData, name: string, seat: number | null): string[] {
    const every = this.#family(name).tally?.every;
    if (!every) return [];
    const there = this.#words(every, this.counted(view, name, seat) ?? []);
    return this.#words(every, this.description.kinds.map((kind) => kind.code)).filter((word) => !there.includes(word));
  }

  /** The words of some cards, each once; `colour2` is a colour, too. */
  #words(name: string, codes: string[]): string[] {
    const found = codes.flatMap((code) => {
      const words = this.description.kinds.find((kind) => kind.code === code)?.words ?? {};
      return Object.entries(words).filter(([key]) => key.replace(/\d+$/, '') === name).map(([, word]) => word);
    });
    return [...new Set(found)];
  }

  figure(view: ViewData, seat: number, { terms }: FigureData): number {
    return sum(terms.map((term) => {
      const name = term.replace(/^-/, '');
      const value = this.#term(view, seat, name);
      return term === name ? value : -value;
    }));
  }

  #term(view: ViewData, seat: number, name: string): number {
    if (/^\d+$/.test(name)) return Number(name);
    if (name in view.fields) return Number(view.fields[name]);
    return this.comeTo(view, name, seat) ?? 0;
  }
}
