// Whether a deal was made as promised, by what this browser kept from before it.

import type { KeptDeal } from '../deals';
import type { Deal } from '../protocol';
import type { Key } from '../say.svelte';
import { sha256 } from '../sha256';

/** A sentence (its key in the texts), the seats it is about, and what it means. */
export interface Finding {
  says: Key;
  seats: number[];
  means: 'held' | 'broken' | 'unchecked';
}

export interface Checked {
  /** Broken where anything is; verified where nothing rests on the server's word alone. */
  verdict: 'verified' | 'partly' | 'broken';
  findings: Finding[];
}

const PROMISED = 'kibitz deal 2';

export function checkDeal(deal: Deal, table: string, you: number | null, kept: KeptDeal | null): Checked {
  const findings = [...ofTheSecret(deal, kept), ...ofMine(deal, you, kept), ...ofTheOthers(deal, you, kept), ofTheSeed(deal, table)];
  const has = (means: Finding['means']): boolean => findings.some((finding) => finding.means === means);
  return { verdict: has('broken') ? 'broken' : has('unchecked') ? 'partly' : 'verified', findings };
}

const finding = (says: Key, means: Finding['means'], seats: number[] = []): Finding => ({ says, means, seats });

function ofTheSecret(deal: Deal, kept: KeptDeal | null): Finding[] {
  if (!kept) return [finding('deal_nothing_kept', 'unchecked')];
  return [sha256(deal.secret) === kept.commitment ? finding('deal_secret_fits', 'held') : finding('deal_secret_wrong', 'broken')];
}

function ofMine(deal: Deal, you: number | null, kept: KeptDeal | null): Finding[] {
  if (you === null) return [finding('deal_watched', 'unchecked')];
  if (!kept?.contribution) return [finding('deal_not_mine', 'unchecked')];
  const used = deal.contributions[you];
  if (used === kept.contribution) return [finding('deal_mine_used', 'held')];
  if (used !== null) return [finding('deal_mine_replaced', 'broken')];
  return [kept.revealed ? finding('deal_mine_dropped', 'broken') : finding('deal_mine_left_out', 'unchecked')];
}

function ofTheOthers(deal: Deal, you: number | null, kept: KeptDeal | null): Finding[] {
  const others = deal.contributions.map((_, seat) => seat).filter((seat) => seat !== you);
  const revealed = others.filter((seat) => deal.contributions[seat] !== null);
  const fits = (seat: number): boolean => kept?.promises?.[seat] === sha256(deal.contributions[seat]!);
  const found: Finding[] = [];
  if (!kept?.promises || deal.way !== PROMISED) {
    if (revealed.length) found.push(finding('deal_promises_unseen', 'unchecked', revealed));
  } else {
    const good = revealed.filter(fits);
    const bad = revealed.filter((seat) => !fits(seat));
    if (good.length) found.push(finding('deal_others_fit', 'held', good));
    if (bad.length) found.push(finding('deal_others_wrong', 'broken', bad));
  }
  // Who withholds a contribution may have known the cards by then.
  const left = others.filter((seat) => deal.contributions[seat] === null && (kept?.promises ?? deal.promises)[seat]);
  if (left.length) found.push(finding('deal_left_out', 'unchecked', left));
  return found;
}

function ofTheSeed(deal: Deal, table: string): Finding {
  const text = deal.way === PROMISED
    ? JSON.stringify([deal.way, table, deal.secret, deal.contributions])
    : [deal.way, deal.secret, ...deal.contributions.map((said) => said ?? '')].join('\n');
  return sha256(text) === deal.seed ? finding('deal_seed_follows', 'held') : finding('deal_seed_wrong', 'broken');
}
