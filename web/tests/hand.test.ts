import { expect, test } from 'vitest';
import { GLANCE, laidOut, THUMB } from '../src/table/hand';

test.each([320, 360, 820, 1440])('at %i px no card of any hand is narrower than a thumb', (width) => {
  for (let count = 1; count <= 40; count++) {
    const { card, strip, drop, rows, perRow } = laidOut(count, width - 24, 150, 78, THUMB);
    expect(strip).toBeGreaterThanOrEqual(THUMB);
    expect(drop).toBeGreaterThanOrEqual(THUMB);
    expect(rows * perRow).toBeGreaterThanOrEqual(count);
    expect(strip * (perRow - 1) + card).toBeLessThanOrEqual(Math.max(width - 24, card));
  }
});

test('a hand that is only looked at lies in one row, also on a phone', () => {
  const { rows, strip, perRow, card } = laidOut(18, 340, 92, 60, GLANCE);
  expect(rows).toBe(1);
  expect(strip * (perRow - 1) + card).toBeLessThanOrEqual(340);
});
