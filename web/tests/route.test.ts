import { expect, test } from 'vitest';
import { read } from '../src/route';

const at = (path: string) => {
  const url = new URL(path, 'http://table.example');
  return read(url);
};

test('addresses and their screens', () => {
  expect(at('/')).toEqual({ screen: 'start' });
  expect(at('/t/abc')).toEqual({ screen: 'table', table: 'abc', at: null });
  expect(at('/t/abc?at=12')).toEqual({ screen: 'table', table: 'abc', at: 12 });
  expect(at('/t/abc?at=x')).toEqual({ screen: 'table', table: 'abc', at: null });
  expect(at('/t/abc/key')).toEqual({ screen: 'join', table: 'abc', key: 'key' });
  expect(at('/new/kolpa')).toEqual({ screen: 'new', game: 'kolpa' });
  expect(at('/rules/kolpa#KOLPA-T1')).toEqual({ screen: 'rules', game: 'kolpa', rule: 'KOLPA-T1' });
  expect(at('/puzzle/kolpa')).toEqual({ screen: 'puzzle', game: 'kolpa', n: null });
  expect(at('/puzzle/kolpa/3')).toEqual({ screen: 'puzzle', game: 'kolpa', n: 3 });
  expect(at('/puzzle/kolpa/0')).toEqual({ screen: 'unknown' });
  expect(at('/t/a/b/c')).toEqual({ screen: 'unknown' });
  expect(at('/%zz')).toEqual({ screen: 'unknown' });
});
