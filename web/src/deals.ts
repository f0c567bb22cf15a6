// What this browser keeps of a deal from before the cards: only that can be held against the server.

import { sha256 } from './sha256';

export interface KeptDeal {
  at: number;
  /** The hash of the server's secret, as it was first seen. */
  commitment: string;
  /** What this browser adds; none for who watches. */
  contribution: string | null;
  /** The server has said that it has my contribution. */
  revealed: boolean;
  /** What each seat had promised when the table was closed. */
  promises: (string | null)[] | null;
}

const PLACE = 'kibitz.deals';
const MOST = 100;
const here = new Map<string, KeptDeal>();

function all(): Record<string, KeptDeal> {
  try {
    return JSON.parse(localStorage.getItem(PLACE) ?? '{}') as Record<string, KeptDeal>;
  } catch {
    return {};
  }
}

/** The store comes first: another tab of this browser may have kept more. */
export const keptDeal = (table: string): KeptDeal | null => all()[table] ?? here.get(table) ?? null;

function keep(table: string, deal: KeptDeal): void {
  here.set(table, deal);
  const newest = Object.entries({ ...all(), [table]: deal }).sort((a, b) => b[1].at - a[1].at).slice(0, MOST);
  try {
    localStorage.setItem(PLACE, JSON.stringify(Object.fromEntries(newest)));
  } catch {
    // Without a store it lasts as long as the page.
  }
}

/** What was seen first counts: whatever comes later could be a lie. */
export function sawCommitment(table: string, commitment: string): KeptDeal {
  const kept = keptDeal(table) ?? { at: Date.now(), commitment, contribution: null, revealed: false, promises: null };
  keep(table, kept);
  return kept;
}

export function contributes(table: string, commitment: string, contribution: string): void {
  keep(table, { ...sawCommitment(table, commitment), contribution, revealed: false, promises: null });
}

export function sawPromises(table: string, commitment: string, promises: (string | null)[]): KeptDeal {
  const before = sawCommitment(table, commitment);
  const kept = { ...before, promises: before.promises ?? promises };
  keep(table, kept);
  return kept;
}

export function revealedMine(table: string): void {
  const kept = keptDeal(table);
  if (kept) keep(table, { ...kept, revealed: true });
}

/** My part in a deal: 64 hex digits that nobody else could have chosen. */
export function newContribution(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(32));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** What is shown of a contribution before the deal. */
export const promiseOf = sha256;
