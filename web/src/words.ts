// Sentences of a game: cards, actions, what happened, what is asked. Templates come with the game's
// texts and are filled as in the terminal (kibitz/texts/phrasebook.py).

import type { Claim, Description, EventData, FigureData, LineData, ViewData } from './protocol';
import { fill } from './fill';
import type { Texts } from './service';
import type { Action, Actions } from './taps';
import { Tallies } from './tallies';
import { sum } from './sum';

/** A word that begins with the sound i, before which Spanish has another "and": "Ada e Inés", "té y hielo". */
const SOUND_I = /^(h?í|h?i(?![aeouáéóú])|y(?![aeiouáéíóú]))/i;
const SHARES: ReadonlySet<Claim['what']> = new Set(['best', 'chance', 'ends']); // claims that are told in per cent

export class Words {
  readonly tallies: Tallies;

  constructor(
    readonly description: Description,
    readonly actions: Actions,
    readonly texts: Texts,
    readonly name: (seat: number) => string,
  ) {
    this.tallies = new Tallies(description);
  }

  find(key: string): string | null {
    let at: string | Texts | undefined = this.texts;
    for (const part of key.split('.')) at = typeof at === 'object' ? at[part] : undefined;
    return typeof at === 'string' ? at : null;
  }

  say(key: string, gaps: Record<string, string | number> = {}): string {
    return fill(this.find(key) ?? key.slice(key.lastIndexOf('.') + 1), gaps);
  }

  /** A single word, such as a colour; `colour2` and `called_colour` are colours, too. */
  word(name: string, word: string): string {
    const group = name.replace(/\d+$/, '');
    return this.find(`words.${group}.${word}`) ?? this.find(`words.${group.split('_').at(-1)}.${word}`) ?? word;
  }

  card(code: string): string {
    const cards = this.texts.cards as Texts | undefined;
    return (cards?.[code] as string | undefined) ?? code;
  }

  /** What a card is and does, in a sentence; null for a card that nobody knows. */
  explain(code: string): string | null {
    return this.find(`explain.${code}`);
  }

  cards(codes: string[]): string {
    return this.listed(codes.map((code) => this.card(code)));
  }

  listed(words: string[]): string {
    if (words.length < 2) return words.join('');
    const joint = this.say(SOUND_I.test(words.at(-1)!) ? 'table.and_before_i' : 'table.and');
    return `${words.slice(0, -1).join(', ')} ${joint} ${words.at(-1)}`;
  }

  // What can be done

  label(text: string, seat: number | null): string {
    const action = this.actions.find(text);
    return action ? this.#told('actions', action, seat) : text;
  }

  /** A choice of one or more actions of a seat. */
  choice(steps: readonly string[], seat: number | null): string {
    return steps.map((step) => this.label(step, seat)).join(', ');
  }

  /** What has been chosen so far: the cards of all last steps that are alike, or what the last one was. */
  chosen(steps: readonly string[], seat: number | null): string {
    const verb = (text: string): string | undefined => this.actions.find(text)?.verb.name;
    const last = steps.at(-1) ?? '';
    const form = this.find(`chosen.${verb(last)}`);
    if (!form) return this.label(last, seat);
    const alike = steps.slice(steps.findLastIndex((text) => verb(text) !== verb(last)) + 1);
    return fill(form, { cards: this.#counted(alike.flatMap((text) => this.actions.cards(text))) });
  }

  /** "2 × acorn goblin and joker": each card once, with how many there are. */
  #counted(codes: string[]): string {
    const count = (code: string): number => codes.filter((other) => other === code).length;
    return this.listed([...new Set(codes)].map((code) => (count(code) > 1 ? `${count(code)} × ` : '') + this.card(code)));
  }

  /** An action in words: those for oneself, or for several cards, if there are such. */
  #told(group: string, action: Action, seat: number | null, gaps: Record<string, string | number> = {}): string {
    let key = `${group}.${action.verb.name}`;
    if (action.words.seat === String(seat) && this.find(`${key}_own`)) key += '_own';
    const several = Object.values(action.words).find((word) => word.includes('+'));
    const n = several?.split('+').length;
    if (n && this.find(`${key}_several`)) return this.say(`${key}_several`, { ...gaps, n, ...this.#gaps(action) });
    return this.say(key, { ...gaps, ...this.#gaps(action) });
  }

  /** What stands on a card with which this can be done, such as that it matches. */
  tag(verb: string | undefined): string | null {
    return verb === undefined ? null : this.find(`tags.${verb}`);
  }

  button(word: string, group: string | null): string {
    return this.find(`buttons.${word}`) ?? (group ? this.word(group, word) : word);
  }

  /** What I am asked, where these actions are legal: the first prompt whose verbs all are. */
  prompt(view: ViewData, legal: string[]): string {
    const { prompts } = this.description;
    const word = this.#asked(view);
    const verbs = new Set(legal.map((text) => this.actions.find(text)?.verb.name));
    const fits = ([key, offered]: [string, string[]]): boolean =>
      (key === word || key.startsWith(`${word}_`)) && offered.every((verb) => verbs.has(verb));
    return this.say(`prompts.${Object.entries(prompts).find(fits)?.[0] ?? word}`);
  }

  /** What is asked once a card has been chosen; without words of its own, the same as before. */
  step(view: ViewData, legal: string[]): string {
    return this.find(`steps.${this.#asked(view)}`) ?? this.prompt(view, legal);
  }

  #asked(view: ViewData): string {
    const { prompt } = this.description;
    return prompt ? String(view.fields[prompt]) : 'turn';
  }

  #gaps(action: Action): Record<string, string> {
    return Object.fromEntries(
      Object.entries(action.words).map(([name, word]) => [name, this.#gap(name, word)]),
    );
  }

  #gap(name: string, word: string): string {
    if (word.includes('+')) return word.split('+').map((part) => this.#gap(name, part)).join(', ');
    if (name === 'card') return this.card(word);
    if (name === 'seat') return this.name(Number(word));
    return this.word(name, word);
  }

  /** Why an action is better than another, told to who sits on a seat. */
  why(claims: readonly Claim[], you: number | null): string {
    return claims.map((claim) => this.#claim(claim, you)).join(' ');
  }

  #claim({ what, better, other, seat, part }: Claim, you: number | null): string {
    const whose = isSeat(seat) ? (seat === you ? 'own_' : 'their_') : '';
    const which = what === 'choices' ? '' : better > other ? '_more' : '_less';
    const scale = SHARES.has(what) ? 100 : 1;
    return this.say(`why.${whose}${what}${which}`, {
      n: Math.round(Math.abs(better - other)), better: Math.round(scale * better), other: Math.round(scale * other),
      who: isSeat(seat) ? this.name(seat) : '', part: part ? this.say(`score.${part}`) : '',
    });
  }

  // What has happened

  /** What a line of the log tells: what was done, and what came of it; no scores. */
  sentences(line: LineData): string[] {
    const events = (line.events ?? []).filter((event) => event.name !== 'scored');
    const done = line.seat === undefined || line.seat === null ? [] : [this.done(line)];
    return [...done, ...events.map((event) => this.event(event))];
  }

  /** What a seat did; of what was not seen in full there is only the verb. */
  done(line: Pick<LineData, 'seat' | 'action' | 'verb'>): string {
    const who = this.name(line.seat!);
    const action = line.action ? this.actions.find(line.action) : null;
    if (!action) return this.say(`log.${line.verb}_hidden`, { who });
    return this.#told('log', action, line.seat!, { who });
  }

  /** What came of it. */
  event(event: EventData): string {
    const n = event.n ?? 0;
    const kind = this.description.events.find((k) => k.name === event.name);
    const gaps: Record<string, string | number> = { n, points: n < 0 ? n : `+${n}`, cards: this.cards(event.cards ?? []) };
    if (isSeat(event.seat)) gaps.who = this.name(event.seat);
    if (isSeat(event.other)) gaps.whom = this.name(event.other);
    if (kind && event.word) {
      gaps[kind.gap] = event.name === 'scored' ? this.say(`score.${event.word}`) : this.word(kind.gap, event.word);
    }
    return this.say(`events.${this.#variant(event)}`, gaps);
  }

  /** The key of the sentence: for cards unseen, for oneself, for just one. */
  #variant(event: EventData): string {
    let key = event.name;
    if (event.size && !event.cards?.length) key += '_hidden';
    if (isSeat(event.other) && event.other === event.seat && this.find(`events.${key}_own`)) key += '_own';
    return event.n === 1 && this.find(`events.${key}_one`) ? `${key}_one` : key;
  }

  // How it stands

  /** What the cards of a zone come to, where the game says so and they are seen. */
  tally(view: ViewData, family: string, seat: number | null): string | null {
    const tally = this.description.families.find(({ name }) => name === family)?.tally;
    if (!tally || !this.tallies.counted(view, family, seat)?.length) return null;
    const named = this.tallies.named(view, family, seat);
    if (named.length) return this.say(`tallies.${family}`, { words: this.#listedWords(tally.names, named) });
    const lacking = this.tallies.lacking(view, family, seat);
    if (lacking.length) return this.say(`tallies.${family}_lacks`, { words: this.#listedWords(tally.every, lacking) });
    return this.say(`tallies.${family}`, { n: plain(this.tallies.comeTo(view, family, seat) ?? 0) });
  }

  #listedWords(group: string | null, words: string[]): string {
    return this.listed(words.map((word) => this.word(group ?? '', word)));
  }

  /** The numbers beside a seat's prompt, each with its name, and how it comes about where the game says so. */
  figures(view: ViewData, seat: number): { name: string; text: string; n: number; how: string }[] {
    return (this.description.figures[this.#asked(view)] ?? [])
      .map((figure) => ({
        name: figure.name, text: this.say(`figures.${figure.name}`), n: this.tallies.figure(view, seat, figure), how: this.#how(view, seat, figure),
      }))
      .filter(({ n }) => n >= 0);
  }

  /** "6 × 1 + 8 × 2 + 3 = 25", and what that means. */
  #how(view: ViewData, seat: number, { name, terms }: FigureData): string {
    const meaning = this.find(`figures.${name}_how`);
    if (!meaning) return '';
    const family = terms.length === 1 && this.description.families.find((one) => one.name === terms[0]);
    const parts = family ? this.tallies.summands(view, family.name, seat) : [];
    const added = parts.map(({ worth, count }) => (count > 1 ? `${count} × ${worth}` : String(worth))).join(' + ');
    return added ? `${added} = ${sum(parts.map(({ worth, count }) => worth * count))}\n${meaning}` : meaning;
  }

  /** What is said of a seat: that it deals, leads, or has passed. */
  markers(view: ViewData, seat: number): { name: string; text: string }[] {
    return this.description.markers
      .filter((name) => {
        const value = view.fields[name];
        return Array.isArray(value) ? value.includes(seat) : value === seat;
      })
      .map((name) => ({ name, text: this.say(`markers.${name}`) }));
  }

  zone(family: string): string {
    return this.say(`zones.${family}`);
  }

  /** The fields for everyone's eyes, as sentences. */
  facts(view: ViewData): { name: string; text: string }[] {
    return this.description.facts.flatMap((name) => {
      const value = view.fields[name];
      if (value === null || value === undefined || (value === 0 && this.description.fields[name]?.zero_is_none) || (Array.isArray(value) && !value.length)) return [];
      return [{ name, text: this.say(`facts.${name}`, { value: this.#value(name, value) }) }];
    });
  }

  #value(name: string, value: unknown): string {
    const kind = this.description.fields[name]?.kind;
    if (kind === 'seat') return this.name(Number(value));
    if (kind === 'seats') return this.listed((value as number[]).map((seat) => this.name(seat)));
    if (kind === 'kind') return this.card(String(value));
    return this.word(name, String(value));
  }
}

/** A number as in print: with a true minus sign. */
const plain = (n: number): string => String(n).replace('-', '−');

const isSeat = (seat: number | null | undefined): seat is number => seat !== null && seat !== undefined;
