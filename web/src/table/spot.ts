// Where something can be laid over the table without hiding what one looks at.

import { sum } from '../sum';

export interface Box { left: number; top: number; right: number; bottom: number }

const overlap = (a: Box, b: Box): number =>
  Math.max(0, Math.min(a.right, b.right) - Math.max(a.left, b.left)) * Math.max(0, Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top));

const STEPS = 24;

/** Where at the sides of a room, or in its middle, something of this size hides least: as far up as can be, and to the left. */
export function freest(width: number, height: number, room: Box, kept: { box: Box; matters: number }[]): { left: number; top: number } {
  const lefts = [0, 1, 0.5].map((part) => room.left + part * (room.right - room.left - width));
  const tops = Array.from({ length: STEPS + 1 }, (_, n) => room.top + (n / STEPS) * (room.bottom - room.top - height));
  const places = tops.flatMap((top) => lefts.map((left) => ({ left, top })));
  const hidden = places.map(({ left, top }) => {
    const box = { left, top, right: left + width, bottom: top + height };
    return sum(kept.map((other) => other.matters * overlap(box, other.box)));
  });
  return places[hidden.indexOf(Math.min(...hidden))]!;
}
