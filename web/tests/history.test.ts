import { expect, test } from 'vitest';
import { momentOf, readHistory } from '../src/table/history';
import { marked } from '../src/parts/marked';
import { view } from './sample';

test('a history is unfolded move by move', () => {
  const moments = readHistory({
    start: view,
    moves: [
      { view: { due: [1] }, lines: [[0, 'kol r5']], number: 1 },
      { view: { zones: { draw: { size: 19 } } }, lines: [[1, 'pass'], [1, 'pass']], number: 3 },
    ],
  });
  expect(moments.map((moment) => moment.number)).toEqual([0, 1, 3]);
  expect(moments[2]!.view.due).toEqual([1]);
  expect(momentOf(moments, 2)).toBe(2);
});

test('the markup of a rulebook', () => {
  expect(marked('a **b** {r5} `c`').map((piece) => piece.kind)).toEqual(
    ['plain', 'strong', 'plain', 'card', 'plain', 'code'],
  );
});
