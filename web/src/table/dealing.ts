// Taking part in the deal of a table: promise before it, reveal when the table is closed.

import { contributes, keptDeal, newContribution, promiseOf, revealedMine, sawCommitment, sawPromises } from '../deals';
import type { Frame, SeatData, TableFrame } from '../protocol';
import { VERSION } from '../protocol';
import { tokenFor } from '../seats';
import { wire } from '../wire.svelte';

type Seen = Pick<TableFrame, 'table' | 'phase' | 'you' | 'commitment'> & { seats: SeatData[] };

/** Tables on which this page has been asked for its part already. */
const asked = new Set<string>();

/** Look at a table that has been shown, and do what its deal asks for. */
export function takePart(seen: Seen): void {
  if (seen.phase === 'gathering') promise(seen);
  else if (seen.phase === 'dealing') reveal(seen);
}

function promise({ table, you, commitment, seats }: Seen): void {
  sawCommitment(table, commitment);
  if (you === null || seats[you]?.promise || asked.has(`promise ${table}`)) return;
  asked.add(`promise ${table}`);
  const mine = keptDeal(table)?.contribution ?? newContribution();
  contributes(table, commitment, mine);
  wire.command({ do: 'promise', table, promise: promiseOf(mine) }).catch(() => {});
}

function reveal({ table, you, commitment, seats }: Seen): void {
  // First keep what all have promised: once mine is known, theirs must not change.
  const { contribution, promises } = sawPromises(table, commitment, seats.map((seat) => seat.promise));
  if (you === null || !contribution || promises?.[you] !== promiseOf(contribution)) return;
  if (asked.has(`reveal ${table}`)) return;
  asked.add(`reveal ${table}`);
  wire.command({ do: 'reveal', table, contribution }).then(() => revealedMine(table), () => {});
}

/** Tables that this page shows; no other may leave them. */
export const shown = new Set<string>();

/** Takes part in the deal of a rematch, as long as its player still looks at the last match. */
export class Attendant {
  #frame: TableFrame | null = null;
  #leave: () => void;
  #gone = false;

  constructor(readonly id: string) {
    this.#leave = wire.join((frame) => this.#heard(frame), () => this.#enter());
  }

  close(): void {
    if (this.#gone) return;
    this.#gone = true;
    if (!shown.has(this.id)) wire.command({ do: 'exit', table: this.id }).catch(() => {});
    this.#leave();
  }

  #enter(): void {
    wire.command({ do: 'enter', table: this.id, version: VERSION, token: tokenFor(this.id) ?? null }).catch(() => {});
  }

  #heard(frame: Frame): void {
    if (!('table' in frame) || frame.table !== this.id) return;
    if (frame.t === 'table') this.#frame = frame;
    else if (frame.t === 'seats' && this.#frame) this.#frame = { ...this.#frame, seats: frame.seats, phase: frame.phase };
    else return;
    if (!this.#frame) return;
    takePart(this.#frame);
    // Who does not come to the match must not seem to be there.
    if (this.#frame.phase === 'playing') this.close();
  }
}
