import { expect, test } from 'vitest';
import { laidOut, THUMB } from '../src/table/hand';

test.each([320, 360, 820, 1440])('at %i px no card of any hand is narrower than a thumb', (width) => {
  for (let count = 1; count <= 40; count++) {
    const { card, strip, drop, rows, perRow } = laidOut(count, width - 24, 150, 78);
    expect(strip).toBeGreaterThanOrEqual(THUMB);
    expect(drop).toBeGreaterThanOrEqual(THUMB);
    expect(rows * perRow).toBeGreaterThanOrEqual(count);
    expect(strip * (perRow - 1) + card).toBeLessThanOrEqual(Math.max(width - 24, card));
  }
});
