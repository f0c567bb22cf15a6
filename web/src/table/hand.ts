// How a hand lies in the room there is.

/** No target is smaller than this, in CSS pixels. */
export const THUMB = 44;
/** And so much of a card says what it is. */
export const GLANCE = 14;
const GAP = 8;
const DROP = 50; // what shows of a row above the next
const LEAST = 62; // the width of a card that lies in rows
const ROOM_ABOVE = 22; // a card that is chosen is lifted

export interface HandLayout {
  card: number;
  rows: number;
  perRow: number;
  /** How much of each card can be touched: beside the next, and above the next row. */
  strip: number;
  drop: number;
}

/** `least` is how much of each card shows. */
export function laidOut(count: number, width: number, height: number, most: number, least: number): HandLayout {
  const card = Math.max(24, Math.min(most, Math.floor((height - ROOM_ABOVE) / 1.4)));
  const fits = (one: number): number => Math.max(1, Math.floor((width - one) / least) + 1);
  if (count <= fits(card)) return inRows(card, 1, Math.max(1, count), width, least);
  const smaller = Math.min(card, LEAST);
  const rows = Math.ceil(count / fits(smaller));
  return inRows(smaller, rows, Math.ceil(count / rows), width, least);
}

function inRows(card: number, rows: number, perRow: number, width: number, least: number): HandLayout {
  const room = perRow > 1 ? (width - card) / (perRow - 1) : card;
  const strip = Math.max(least, Math.min(card + GAP, Math.floor(room)));
  return { card, rows, perRow, strip, drop: rows > 1 ? DROP : Math.round(card * 1.4) };
}
