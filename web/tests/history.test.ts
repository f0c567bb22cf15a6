import { expect, test } from 'vitest';
import { joined, momentOf, readHistory } from '../src/table/history';
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

test('who comes back drops from the log what was taken back meanwhile', () => {
  const had = [{ seq: 4 }, { seq: 5, seat: 0, action: 'kol r5' }, { seq: 6, seat: 0, note: 'undone' as const, since: 5 }, { seq: 7, seat: 0, action: 'pass' }];
  const came = [{ seq: 9, seat: 0, note: 'undone' as const, since: 7 }, { seq: 10, seat: 0, action: 'kol r2' }];
  expect(joined(had.slice(2), came).map(({ seq }) => seq)).toEqual([6, 9, 10]);
  expect(joined(had.slice(0, 2), had.slice(2)).map(({ seq }) => seq)).toEqual([4, 6, 7]);
  expect(joined(had, [{ seq: 4 }]).map(({ seq }) => seq)).toEqual([4]);
});
