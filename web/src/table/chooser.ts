// How a choice comes about: taps become a path, a path is sent; before one's turn it is queued.

import type { PreviewFrame } from '../protocol';
import { Refused } from '../service';
import { settings } from '../settings.svelte';
import { foreseen, going, settled, takenBack, type Path, type Pick } from '../taps';
import { keptChoice } from './choice.svelte';
import type { Table } from './table.svelte';

export class Chooser {
  constructor(readonly table: Table) {}

  tap(pick: Pick): void {
    const { table } = this;
    if (table.past.at !== null || table.pending) return;
    table.linger(null);
    table.refusal = null;
    table.kibitzer.forget();
    if (table.due) this.#choose(pick);
    else if (table.canPremove) this.#queue(pick);
  }

  #choose(pick: Pick): void {
    const { choice, paths } = this.table;
    this.table.premoveLost = false;
    choice.ready = null;
    const already = takenBack(paths, choice.picks, pick);
    if (already >= 0) {
      choice.picks = choice.picks.slice(0, already);
      return;
    }
    let picks = [...choice.picks, pick];
    // Another card instead of the one chosen before: a change of mind.
    if (!going(paths, picks).length) picks = [pick];
    if (!going(paths, picks).length) {
      this.#tryForbidden([...choice.picks, pick], pick);
      return;
    }
    choice.picks = picks;
    const path = settled(paths, picks);
    if (path) this.#settle(path);
  }

  /** What no rule allows is still sent, so that the server says which rule forbids it. */
  #tryForbidden(picks: Pick[], pick: Pick): void {
    const verbs = this.table.paths.map((path) => path.action.verb.name);
    for (const taps of [picks, [pick]]) {
      const left = going(this.table.possible, taps);
      const path = left.find((p) => verbs.includes(p.action.verb.name)) ?? left[0];
      if (path) {
        this.table.choice.picks = taps;
        void this.#send(path, taps);
        return;
      }
    }
  }

  #settle(path: Path): void {
    const { choice, live, description } = this.table;
    const view = live && choice.over(live);
    if (!view || !description) return;
    if (path.action.verb.continues) {
      const step = { action: path.action.text, after: null, foreseen: foreseen(description, view, path, choice.picks) };
      choice.steps = [...choice.steps, step];
      choice.picks = [];
      void this.#preview();
    } else if (settings.confirm) {
      choice.ready = path;
    } else {
      void this.#send(path, choice.picks);
    }
  }

  confirm(): void {
    const { choice } = this.table;
    if (choice.ready) void this.#send(choice.ready, choice.picks);
  }

  takeBack(): void {
    const { table } = this;
    if (table.premove.length && !table.due) table.premove = [];
    else if (!table.pending) table.choice.takeBack();
    table.kibitzer.forget();
    table.refusal = null;
    table.premoveLost = false;
  }

  async #preview(): Promise<void> {
    const { choice, id } = this.table;
    const steps = choice.steps;
    const actions = steps.map((step) => step.action);
    try {
      const after = await this.table.link.command<PreviewFrame>({ do: 'preview', table: id, actions });
      const mine = choice.steps.findIndex((step) => step === steps.at(-1));
      if (mine < 0) return;
      choice.steps = choice.steps.map((step, i) => (i === mine ? { ...step, after } : step));
    } catch (refused) {
      choice.clear();
      if (refused instanceof Refused && refused.error !== 'not_due') this.table.refusal = refused;
    }
  }

  async #send(path: Path, picks: Pick[]): Promise<void> {
    const { table } = this;
    const view = table.live && table.choice.over(table.live);
    if (!view || !table.description) return;
    const actions = [...table.choice.steps.map((step) => step.action), path.action.text];
    table.choice.ready = null;
    table.pending = { actions, view: foreseen(table.description, view, path, picks) };
    try {
      await table.link.command({ do: 'play', table: table.id, actions });
      // The news of it may come before or after this answer, or may have been missed.
      setTimeout(() => table.pending?.actions === actions && void table.enter(), 2000);
    } catch (refused) {
      table.pending = null;
      table.choice.picks = [];
      if (refused instanceof Refused) {
        table.refusal = refused;
        if (refused.error === 'not_due' || refused.error === 'bad_token') void table.enter();
      }
    }
  }

  // Choosing before the turn

  #queue(pick: Pick): void {
    const { table } = this;
    table.premoveLost = false;
    const already = takenBack(table.possible, table.premove, pick);
    if (already >= 0) {
      table.premove = table.premove.slice(0, already);
      return;
    }
    const longer = [...table.premove, pick];
    if (going(table.possible, longer).length) table.premove = longer;
    else if (pick.kind === 'card' && going(table.possible, [pick]).length) table.premove = [pick];
  }

  #playPremove(): void {
    const { table } = this;
    const picks = table.premove;
    table.premove = [];
    if (!going(table.paths, picks).length) {
      table.premoveLost = true;
      return;
    }
    table.choice.picks = picks;
    const path = settled(table.paths, picks);
    if (path) this.#settle(path);
  }

  /** The page was loaded anew: what was being chosen is taken up again. */
  resume(): void {
    const { table } = this;
    const { choice, live, description, frame } = table;
    const kept = frame && keptChoice(table.id, frame.seq);
    if (!kept || !table.due || !choice.empty || !live || !description) return;
    choice.steps = kept.actions.map((action) => ({ action, after: null, foreseen: live }));
    if (choice.steps.length) void this.#preview().then(() => (choice.picks = kept.picks));
    else if (going(table.paths, kept.picks).length) choice.picks = kept.picks;
  }

  /** After news: a choice in progress may have to be looked at again, a queued one may be due. */
  recheck(): void {
    const { table } = this;
    const { choice } = table;
    if (!table.stillDue) {
      if (!table.pending) choice.clear();
      return;
    }
    if (choice.steps.length) {
      // Others have moved while I choose: what could follow my steps?
      choice.steps = choice.steps.map((step) => ({ ...step }));
      void this.#preview();
    } else if (choice.picks.length && !going(table.paths, choice.picks).length) choice.clear();
    if (table.premove.length) this.#playPremove();
  }
}
