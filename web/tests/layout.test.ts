import { expect, test } from 'vitest';
import { inTrick } from '../src/table/layout';

const around = (players: number, me: number): string[] =>
  Array.from({ length: players - 1 }, (_, n) => inTrick(players, me, (me + 1 + n) % players));

test('of a trick my own card lies in the middle, and those of the others before their seats', () => {
  expect(inTrick(5, 2, 2)).toBe('mine');
  expect(around(2, 1)).toEqual(['left across']);
  expect(around(3, 0)).toEqual(['left across', 'right across']);
  expect(around(4, 3)).toEqual(['left beside', 'left across', 'right beside']);
  expect(around(5, 2)).toEqual(['left beside', 'left across', 'right across', 'right beside']);
  expect(around(6, 0)).toEqual(['left beside', 'left across', 'left across', 'right across', 'right beside']);
});
