// A guest needs no account: a name is enough, and until they choose one they get one.

import { say } from './say.svelte';
import { settings } from './settings.svelte';

/** The longest name that the server takes, in characters. */
export const NAME_LENGTH = 24;

export function guest(): string {
  const name = settings.name.trim();
  if (name) return name;
  const friendly = say('guest_names').split(', ');
  const word = friendly[Math.floor(Math.random() * friendly.length)]!;
  settings.name = `${word} ${10 + Math.floor(Math.random() * 90)}`;
  return settings.name;
}

/** The path to a table in a pasted link, with or without its host. */
export function pathIn(link: string): string | null {
  const found = /\/t\/([\w-]+)(?:\/([\w-]+))?/.exec(link.trim());
  if (!found) return null;
  return found[2] ? `/t/${found[1]}/${found[2]}` : `/t/${found[1]}`;
}
