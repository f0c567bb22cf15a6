import { expect, test } from 'vitest';
import { momentOf, readHistory } from '../src/table/history';
import { marked } from '../src/parts/marked';
import { view } from './sample';

test('a history is unfolded move by move', () => {
  const moments = readHistory({
    start: view,
    lines: [{ seq: 4 }],
    moves: [
      { view: { due: [1] }, lines: [{ seq: 5, seat: 0, action: 'kol r5' }], number: 2, seq: 5, seat: 0 },
      { view: { zones: { draw: { size: 19 } } }, lines: [{ seq: 7, seat: 1, action: 'pass' }], number: 3, seq: 7, seat: 1 },
    ],
  });
  expect(moments.map((moment) => moment.seq)).toEqual([4, 5, 7]);
  expect(moments[2]!.view.due).toEqual([1]);
  expect(momentOf(moments, 5)).toBe(1);
  expect(momentOf(moments, 6)).toBe(2);
});

test('the markup of a rulebook', () => {
  expect(marked('a **b** {r5} `c`').map((piece) => piece.kind)).toEqual(
    ['plain', 'strong', 'plain', 'card', 'plain', 'code'],
  );
});
