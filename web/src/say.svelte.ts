// The page's own words, in the language in use. Only that one is loaded.

import type en from './texts/en.json';
import { fill } from './fill';
import { settings, type Language } from './settings.svelte';

export type Key = keyof typeof en;
type Dictionary = Record<Key, string>;

const files = import.meta.glob<{ default: Dictionary }>('./texts/*.json');

let words = $state.raw<Dictionary | null>(null);

export async function speak(lang: Language): Promise<void> {
  const file = files[`./texts/${lang}.json`] ?? files['./texts/en.json']!;
  words = (await file()).default;
  settings.lang = lang;
  document.documentElement.lang = lang;
}

export function say(key: Key, gaps: Record<string, string | number> = {}): string {
  return fill(words?.[key] ?? key, gaps);
}

/** A sentence for a key that came from the server; null if the page has none. */
export function sayIf(key: string, gaps: Record<string, string | number> = {}): string | null {
  const form = words?.[key as Key];
  return form === undefined ? null : fill(form, gaps);
}

export const counted = (n: number): string =>
  say(new Intl.PluralRules(settings.lang).select(n) === 'one' ? 'card1' : 'cards', { n });

export function listed(names: string[]): string {
  return new Intl.ListFormat(settings.lang, { type: 'conjunction' }).format(names);
}

/** A number with a true minus sign. */
export const plain = (n: number): string => (n < 0 ? `−${-n}` : String(n));

export const percent = (share: number): string =>
  new Intl.NumberFormat(settings.lang, { style: 'percent', maximumFractionDigits: 0 }).format(share);
