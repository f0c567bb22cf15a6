import { expect, test } from 'vitest';
import { freest } from '../src/table/spot';

const room = { left: 0, top: 0, right: 100, bottom: 90 };
const box = (left: number, top: number, right: number, bottom: number, matters = 1) => ({ box: { left, top, right, bottom }, matters });

test('what is laid over the table goes where it hides least', () => {
  expect(freest(30, 30, room, [])).toEqual({ left: 0, top: 0 });
  expect(freest(30, 30, room, [box(10, 10, 20, 20)])).toEqual({ left: 70, top: 0 });
  expect(freest(30, 30, room, [box(0, 0, 100, 40)])).toEqual({ left: 0, top: 40 });
  expect(freest(30, 30, room, [box(0, 0, 100, 30), box(0, 60, 100, 90), box(0, 30, 50, 60)])).toEqual({ left: 70, top: 30 });
  // Where nothing is free, the least is hidden.
  expect(freest(100, 30, room, [box(0, 0, 100, 90), box(0, 30, 100, 90)])).toEqual({ left: 0, top: 0 });
  expect(freest(100, 30, room, [box(0, 0, 100, 30, 9), box(0, 30, 100, 60, 4), box(0, 60, 100, 90)])).toEqual({ left: 0, top: 60 });
});
