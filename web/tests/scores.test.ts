import { expect, test } from 'vitest';
import type { EventData, LineData } from '../src/protocol';
import { eventsOf } from '../src/table/scores';

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
