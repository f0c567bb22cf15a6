import { expect, test } from 'vitest';
import de from '../src/texts/de.json';
import en from '../src/texts/en.json';
import es from '../src/texts/es.json';
import fr from '../src/texts/fr.json';
import nl from '../src/texts/nl.json';

const gaps = (text: string): string[] => (text.match(/\{\w+\}/g) ?? []).sort();

test.each(Object.entries({ de, es, fr, nl }))('%s says all that English says, with the same gaps', (_, words) => {
  expect(Object.keys(words)).toEqual(Object.keys(en));
  for (const [key, text] of Object.entries(en)) {
    expect(gaps(words[key as keyof typeof en]), key).toEqual(gaps(text));
    expect(words[key as keyof typeof en].trim(), key).not.toBe('');
  }
});

test('every error of the protocol has a sentence', () => {
  const errors = [
    'malformed', 'version', 'no_table', 'no_game', 'bad_option', 'bad_name', 'bad_join', 'bad_token', 'not_seated',
    'not_host', 'full', 'taken', 'phase', 'not_due', 'illegal', 'unfinished', 'no_hints', 'too_long', 'too_fast',
    'origin', 'not_found', 'busy',
  ];
  for (const error of errors) expect(en).toHaveProperty(`error_${error}`);
});
