// Tells of what happens, to ears: sentences for a screen reader, sounds, a desktop notification.

import type { MovedFrame, ViewData } from '../protocol';
import { say } from '../say.svelte';
import { settings } from '../settings.svelte';
import { play } from '../sound';
import type { News, Table } from './table.svelte';

const KEPT = 5;

export class Teller {
  sentences = $state.raw<{ n: number; text: string }[]>([]);
  #n = 0;

  constructor(readonly table: Table) {}

  hear(news: News): void {
    if ('told' in news) this.#say(news.told);
    else this.#moved(news.moved, news.before);
  }

  #moved(moved: MovedFrame, before: ViewData): void {
    const { table } = this;
    const { words, live } = table;
    if (!words || !live) return;
    const told = moved.lines.flatMap((line) => words.sentences(line));
    const mine = table.you !== null && live.due.includes(table.you) && !live.over;
    const wasMine = table.you !== null && before.due.includes(table.you) && moved.seat !== table.you;
    const instead = moved.by ? [say(`by_${moved.by}`)] : [];
    this.#say([...told, ...instead, ...this.#tops(moved), ...(mine ? [`${say('your_turn')} ${words.prompt(live, table.legal)}`] : [])]);
    if (live.over) play('over');
    else if (mine && !wasMine) this.#yourTurn(words.prompt(live, table.legal));
    else play(table.story.outcomes(moved).length ? 'won' : 'card');
  }

  /** What lies on top of the piles in the middle that have changed. */
  #tops(moved: MovedFrame): string[] {
    const { description, words } = this.table;
    return Object.entries(moved.view.zones ?? {}).flatMap(([name, zone]) => {
      const family = description!.families.find((f) => f.name === name.split('.')[0]);
      const top = zone.cards?.at(-1);
      if (!family?.pile || family.per_seat || !top) return [];
      return [say('on_top', { zone: words!.zone(family.name), card: words!.card(top) })];
    });
  }

  #say(texts: string[]): void {
    if (!texts.length) return;
    this.sentences = [...this.sentences, { n: ++this.#n, text: texts.join(' ') }].slice(-KEPT);
  }

  #yourTurn(prompt: string): void {
    play('turn');
    if (!settings.notify || !document.hidden || typeof Notification === 'undefined') return;
    if (Notification.permission !== 'granted') return;
    try {
      const note = new Notification(say('your_turn_now'), { body: prompt, icon: '/icon.svg', tag: this.table.id });
      note.onclick = () => window.focus();
    } catch {
      // Some phones notify through service workers only.
    }
  }
}
