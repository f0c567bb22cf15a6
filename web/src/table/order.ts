// The order in which I hold my cards: as they came, or sorted by a word that they share.

import { settings } from '../settings.svelte';
import type { Table } from './table.svelte';

export interface Held { code: string; index: number }

/** The words by which a hand can be sorted: those that most cards have. */
export function sortable(table: Table): string[] {
  const kinds = table.description?.kinds ?? [];
  const names = [...new Set(kinds.flatMap(({ words }) => Object.keys(words)))];
  return names.filter((name) => !/\d$/.test(name) && kinds.filter(({ words }) => name in words).length > kinds.length / 2);
}

/** Cards in the order that I like; each keeps its place in the hand, by which it is tapped. */
export function ordered(table: Table, cards: string[]): Held[] {
  const held = cards.map((code, index) => ({ code, index }));
  const by = settings.handOrder[table.frame!.game];
  if (!by || !table.description) return held;
  const kinds = new Map(table.description.kinds.map((kind, n) => [kind.code, { n, word: kind.words[by] }]));
  const values = [...new Set(table.description.kinds.map(({ words }) => words[by]))];
  const rank = ({ code }: Held): number => {
    const word = kinds.get(code)?.word;
    const place = word !== undefined && /^-?\d+$/.test(word) ? Number(word) : values.indexOf(word);
    return word === undefined ? Infinity : place;
  };
  return held.sort((a, b) => rank(a) - rank(b) || (kinds.get(a.code)?.n ?? 0) - (kinds.get(b.code)?.n ?? 0));
}
