// How a hand lies in the room there is.

/** No target is smaller than this, in CSS pixels. */
export const THUMB = 44;
const GAP = 8;

export interface HandLayout {
  rows: number;
  perRow: number;
  /** How much of each card can be touched: beside the next, and above the next row. */
  strip: number;
  drop: number;
}

export function laidOut(count: number, width: number, card: number): HandLayout {
  const height = card * 1.4;
  const most = Math.max(1, Math.floor((width - card) / THUMB) + 1);
  const rows = Math.max(1, Math.ceil(count / most));
  const perRow = Math.max(1, Math.ceil(count / rows));
  const room = perRow > 1 ? (width - card) / (perRow - 1) : card;
  const strip = Math.max(THUMB, Math.min(card + GAP, Math.floor(room)));
  const drop = rows > 1 ? Math.max(THUMB + 4, Math.round(height * 0.58)) : Math.round(height);
  return { rows, perRow, strip, drop };
}
