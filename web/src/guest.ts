// A guest needs no account: a name is enough, and until they choose one they get one.

import { say } from './say.svelte';
import { settings } from './settings.svelte';

/** The longest name that the server takes, in characters. */
export const NAME_LENGTH = 24;

const UNSEEN = /(?!\u200c|\u200d)\p{C}|\u034f|\u115f|\u1160|\u17b4|\u17b5|\u2800|\u3164|\uffa0/gu;
// Joiners are seen by what they join: letters of some scripts, pictures.
const LOOSE = /(?<!\p{So}|\p{Sk}|\p{Lo}|\p{M})(?:\u200c|\u200d)|(?:\u200c|\u200d)(?!\p{So}|\p{Sk}|\p{Lo}|\p{M})/gu;

/** What somebody types, without what is unseen or turns it round. */
export const visible = (text: string): string => text.replace(UNSEEN, '');

/** A name as the server will show it: in one line, nothing unseen, nothing turned round. */
export const harmless = (name: string): string =>
  visible(name.replace(/\s/gu, ' ')).replace(LOOSE, '').replace(/ +/g, ' ').trim();

/** The name of who plays here, as it will be shown; one is thought of for who has none. */
export function guest(): string {
  settings.name = harmless(settings.name) || friendly();
  return settings.name;
}

function friendly(): string {
  const words = say('guest_names').split(', ');
  const word = words[Math.floor(Math.random() * words.length)]!;
  return `${word} ${10 + Math.floor(Math.random() * 90)}`;
}

/** The path to a table in a pasted link, with or without its host. */
export function pathIn(link: string): string | null {
  const found = /\/t\/([\w-]+)(?:\/([\w-]+))?/.exec(link.trim());
  if (!found) return null;
  return found[2] ? `/t/${found[1]}/${found[2]}` : `/t/${found[1]}`;
}
