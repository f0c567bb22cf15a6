import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { KeptDeal } from '../src/deals';
import type { Deal } from '../src/protocol';
import { sha256 } from '../src/sha256';
import { checkDeal } from '../src/table/deal';

const node = (text: string): string => createHash('sha256').update(text).digest('hex');

test('hashes are those of everyone else', () => {
  const texts = ['', 'abc', 'Zoë 🦊', ...[55, 56, 63, 64, 65, 119, 120, 1000].map((n) => 'x'.repeat(n))];
  for (const text of texts) expect(sha256(text), `${text.length}`).toBe(node(text));
});

const TABLE = 'k3v9x2m7qa';
const secret = 'ab'.repeat(32);
const mine = '01'.repeat(32);
const theirs = '02'.repeat(32);

function made(contributions: (string | null)[], more: Partial<Deal> = {}): Deal {
  const way = 'kibitz deal 2';
  const seed = node(JSON.stringify([way, TABLE, secret, contributions]));
  const promises = [node(mine), node(theirs), null];
  return { way, secret, promises, contributions, left_out: [], seed, ...more };
}

function kept(more: Partial<KeptDeal> = {}): KeptDeal {
  const promises = [node(mine), node(theirs), null];
  return { at: 0, commitment: node(secret), contribution: mine, revealed: true, promises, ...more };
}

const said = (deal: Deal, you: number | null, had: KeptDeal | null): [string, string[]] => {
  const { verdict, findings } = checkDeal(deal, TABLE, you, had);
  return [verdict, findings.map((finding) => finding.says)];
};

test('a fair deal is verified by what was kept', () => {
  expect(said(made([mine, theirs, null]), 0, kept())).toEqual([
    'verified', ['deal_secret_fits', 'deal_mine_used', 'deal_others_fit', 'deal_seed_follows'],
  ]);
});

describe('a lie is called one', () => {
  const lies: [string, Deal, KeptDeal][] = [
    ['deal_secret_wrong', made([mine, theirs, null]), kept({ commitment: node('another secret') })],
    ['deal_mine_replaced', made(['03'.repeat(32), theirs, null]), kept()],
    ['deal_mine_dropped', made([null, theirs, null]), kept()],
    ['deal_others_wrong', made([mine, '03'.repeat(32), null]), kept()],
    // The server now claims other promises: only what was seen before the deal counts.
    ['deal_others_wrong', made([mine, '03'.repeat(32), null], { promises: [node(mine), node('03'.repeat(32)), null] }), kept()],
    ['deal_others_wrong', made([mine, theirs, '03'.repeat(32)]), kept()],
    ['deal_seed_wrong', made([mine, theirs, null], { seed: node('chosen') }), kept()],
  ];
  test.each(lies)('%s', (says, deal, had) => {
    const [verdict, found] = said(deal, 0, had);
    expect(verdict).toBe('broken');
    expect(found).toContain(says);
  });
});

describe('what cannot be checked is said', () => {
  const fair = made([mine, theirs, null]);
  test.each<[string, number | null, KeptDeal | null]>([
    ['deal_nothing_kept', 0, null],
    ['deal_promises_unseen', 0, kept({ promises: null })],
    ['deal_not_mine', 0, kept({ contribution: null })],
    ['deal_watched', null, kept({ contribution: null })],
  ])('%s', (says, you, had) => {
    const [verdict, found] = said(fair, you, had);
    expect(verdict).toBe('partly');
    expect(found).toContain(says);
  });

  test('deal_mine_left_out', () => {
    const [verdict, found] = said(made([null, theirs, null]), 0, kept({ revealed: false }));
    expect([verdict, found.includes('deal_mine_left_out')]).toEqual(['partly', true]);
  });

  test('a match from before promises', () => {
    const way = 'kibitz deal 1';
    const old = made([mine, theirs, null], { way, seed: node([way, secret, mine, theirs, ''].join('\n')), promises: [null, null, null] });
    expect(said(old, 0, kept({ contribution: null, promises: [null, null, null] }))[0]).toBe('partly');
  });
});

test('who was left out is named', () => {
  const { verdict, findings } = checkDeal(made([mine, null, null], { left_out: [1] }), TABLE, 0, kept());
  expect(verdict).toBe('partly');
  expect(findings.find((finding) => finding.says === 'deal_left_out')?.seats).toEqual([1]);
});
