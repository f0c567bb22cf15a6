// Views: putting news over them, and finding which cards moved between two.

import type { Changes, Description, FamilyData, ViewData, ZoneData } from './protocol';

/** A view with changes put over it, zone by zone and field by field. */
export function patched(view: ViewData, changes: Changes): ViewData {
  return {
    ...view,
    ...changes,
    zones: { ...view.zones, ...changes.zones },
    fields: { ...view.fields, ...changes.fields },
  };
}

export interface Zone {
  name: string;
  family: FamilyData;
  seat: number | null;
  part: string | null;
}

/** All zones of a table, in the order of the description. */
export function zonesOf(description: Description, players: number): Zone[] {
  return description.families.flatMap((family) => {
    const seats = family.per_seat ? Array.from({ length: players }, (_, seat) => seat) : [null];
    const parts = family.parts.length ? family.parts : [null];
    return seats.flatMap((seat) =>
      parts.map((part) => ({ name: zoneName(family.name, seat, part), family, seat, part })),
    );
  });
}

export function zoneName(family: string, seat: number | null, part: string | null): string {
  return [family, seat, part].filter((word) => word !== null).join('.');
}

/** Whether cards lie the other way up, as of those with two halves the lower one counts. */
export const isTurned = ({ turned }: Description, view: ViewData): boolean =>
  !!turned && view.fields[turned.field] === turned.word;

export const isWithin = (zone: string, whole: string): boolean =>
  zone === whole || zone.startsWith(`${whole}.`);

export interface Flight {
  code: string | null;
  from: string;
  to: string;
}

interface Ends {
  zone: string;
  codes: string[];
  hidden: number;
}

/**
 * The cards that changed zone; null for a card that this viewer does not see. A card that comes to
 * light was played from the closed hand of whoever moved, even if they drew another at once.
 */
export function flights(before: ViewData, after: ViewData, hand: string | null = null): Flight[] {
  const left: Ends[] = [];
  const come: Ends[] = [];
  for (const [zone, now] of Object.entries(after.zones)) {
    const was = before.zones[zone] ?? { size: 0 };
    if (was === now) continue;
    const gone = without(shownIn(was), shownIn(now));
    const new_ = without(shownIn(now), shownIn(was));
    const hidden = unseenIn(now) - unseenIn(was);
    left.push({ zone, codes: gone, hidden: Math.max(0, -hidden) });
    come.push({ zone, codes: new_, hidden: Math.max(0, hidden) });
  }
  const closed = hand && before.zones[hand] && unseenIn(before.zones[hand]) > 0 ? hand : null;
  return paired(left, come, closed);
}

/** Covered cards of a pile count as shown: they did not go anywhere. */
const shownIn = (zone: ZoneData): string[] => [...(zone.known ?? []), ...(zone.cards ?? [])];
const unseenIn = (zone: ZoneData): number => Math.max(0, zone.size - shownIn(zone).length);

function without(codes: string[], others: string[]): string[] {
  const left = [...others];
  return codes.filter((code) => {
    const at = left.indexOf(code);
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
}

function paired(left: Ends[], come: Ends[], hand: string | null): Flight[] {
  const found: Flight[] = [];
  const takeHidden = (ends: Ends[], not: string): string | null => {
    const end = ends.find((e) => e.hidden > 0 && e.zone !== not);
    if (end) end.hidden--;
    return end?.zone ?? null;
  };
  const takeCode = (ends: Ends[], code: string, not: string): string | null => {
    const end = ends.find((e) => e.zone !== not && e.codes.includes(code));
    if (end) end.codes.splice(end.codes.indexOf(code), 1);
    return end?.zone ?? null;
  };
  const seen = (ends: Ends[]) => ends.flatMap((e) => e.codes.map((code) => ({ code, zone: e.zone })));
  const forget = (ends: Ends[], code: string, zone: string) => takeCode(ends.filter((e) => e.zone === zone), code, '');
  for (const { code, zone } of seen(come)) {
    const from = takeCode(left, code, zone);
    if (from) {
      forget(come, code, zone);
      found.push({ code, from, to: zone });
    }
  }
  for (const { code, zone } of seen(come)) {
    const from = takeHidden(left, zone);
    if (!from) continue;
    found.push({ code, from: hand ?? from, to: zone });
    if (hand && hand !== from) found.push({ code: null, from, to: hand });
  }
  for (const { code, zone } of seen(left)) {
    const to = takeHidden(come, zone);
    if (to) found.push({ code, from: zone, to });
  }
  for (const end of come) {
    while (end.hidden > 0) {
      const from = takeHidden(left, end.zone);
      if (!from) break;
      end.hidden--;
      found.push({ code: null, from, to: end.zone });
    }
  }
  return found;
}
