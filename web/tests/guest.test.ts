import { expect, test, vi } from 'vitest';

vi.stubGlobal('navigator', { languages: ['en'] });
vi.stubGlobal('localStorage', { getItem: () => null });
vi.stubGlobal('matchMedia', () => ({ matches: false }));
const { guest, harmless } = await import('../src/guest');
const { settings } = await import('../src/settings.svelte');

test.each([
  ['Ada\u202eadA', 'AdaadA'],
  ['\u2066 Zoë\u00a0\u200b  L.\n', 'Zoë L.'],
  ['\u2800\u3164', ''],
  ['a\u200db', 'ab'],
  ['🧑\u200d🚀 שלום', '🧑\u200d🚀 שלום'],
])('a name is shown without what is unseen or turns it round: %j', (name, shown) => {
  expect(harmless(name)).toBe(shown);
});

test('a name that was kept from before is shown harmlessly too', () => {
  settings.name = 'Ada \u202elive';
  expect(guest()).toBe('Ada live');
  expect(settings.name).toBe('Ada live');
});
