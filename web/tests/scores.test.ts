import { expect, test } from 'vitest';
import type { EventData, LineData } from '../src/protocol';
import { endings, eventsOf, lastMove, scoresOf } from '../src/table/scores';
import type { Table } from '../src/table/table.svelte';

const event = (name: string): EventData => ({ name }) as EventData;
const line = (seq: number, seat: number | null, ...names: string[]): LineData =>
  ({ seq, seat, action: seat === null ? null : 'pass', events: names.map(event) });

test('what belongs to a round is all between its deal and the next, also what was scored before its end', () => {
  const log = [
    line(1, null, 'dealt'), line(2, 0, 'first_out', 'scored'), line(3, 1), line(4, 2, 'lost'),
    line(5, null), line(6, 1, 'first_out', 'scored', 'lost'),
  ];
  expect(eventsOf(log, 1).map(({ name }) => name)).toEqual(['dealt', 'first_out', 'scored', 'lost']);
  expect(eventsOf(log, 2).map(({ name }) => name)).toEqual(['first_out', 'scored', 'lost']);
  expect(eventsOf(log, 3)).toEqual([]);
  // Played on from a moment of another match, which had been dealt before.
  expect(eventsOf(log.slice(3), 1).map(({ name }) => name)).toEqual(['lost']);
  expect(eventsOf(log.slice(3), 2).map(({ name }) => name)).toEqual(['first_out', 'scored', 'lost']);
});

test.each([[false, [4, 0, -3], [false, false, true]], [true, [-3, 0, 4], [false, false, true]]])(
  'the best comes first, and points hurt where they lead away from winning (low wins: %s)', (low, gained, hurts) => {
    const table = { sheet: [[{ tricks: -3 }, { tricks: 4 }, { tricks: 0 }]], log: [], description: { low_wins: low } };
    const found = scoresOf(table as unknown as Table, 1);
    expect(found.map((row) => row.gained)).toEqual(gained);
    expect(found.map((row) => row.hurts)).toEqual(hurts);
  },
);

test.each(['won', 'shared'])('how a match ended is told without who has %s it: the title says that', (name) => {
  const table = {
    sheet: [[]], log: [line(1, null), line(2, 0, 'reached', 'scored', name)],
    weight: (event: string) => (event === 'scored' ? 'score' : 'end'), words: { event: (event: EventData) => event.name },
  };
  expect(endings(table as unknown as Table)).toEqual(['reached']);
});

test('a match that was broken off says nothing of how its last round ended', () => {
  const table = {
    agreed: true, sheet: [[]], log: [line(1, null), line(2, 0, 'reached')],
    weight: () => 'end', words: { event: (event: EventData) => event.name },
  };
  expect(endings(table as unknown as Table)).toEqual([]);
  expect(endings({ ...table, agreed: false } as unknown as Table)).toEqual(['reached']);
});

test('the move that ended a round is told with its cards, whatever came of it or was noted since', () => {
  const log = [line(1, null), line(2, 0), { ...line(3, 1), action: 'out r' }, { ...line(4, 0), note: 'undone' }];
  const table = { log, words: { done: ({ action }: LineData) => `did ${action}` }, actions: { cards: () => ['r'] } };
  expect(lastMove(table as unknown as Table)).toEqual({ text: 'did out r', cards: ['r'] });
  expect(lastMove({ ...table, log: [] } as unknown as Table)).toBeNull();
});
