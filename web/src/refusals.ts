// What the server refuses, in the player's language.

import { say, sayIf } from './say.svelte';
import type { Refused } from './service';
import type { Words } from './words';

export function reason(refused: Refused, words: Words | null = null): string {
  if (refused.error === 'illegal' && refused.rule) {
    const why = words?.find(`reasons.${refused.rule}`);
    if (why) return why;
  }
  return sayIf(`error_${refused.error}`, { n: refused.wait ?? 1 }) ?? say('error_broken');
}
