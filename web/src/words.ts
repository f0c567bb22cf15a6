// Sentences of a game: cards, actions, what happened, what is asked.

import type { Description, View } from './protocol';
import { fill } from './say.svelte';
import type { Texts } from './service';
import type { Actions, Said } from './taps';

export class Words {
  constructor(
    readonly description: Description,
    readonly actions: Actions,
    readonly texts: Texts,
    readonly name: (seat: number) => string,
  ) {}

  /** A text by its key, whether the texts come nested or flat. */
  find(key: string): string | null {
    const flat = this.texts[key];
    if (typeof flat === 'string') return flat;
    let at: string | Texts | undefined = this.texts;
    for (const part of key.split('.')) at = typeof at === 'object' ? at[part] : undefined;
    return typeof at === 'string' ? at : null;
  }

  say(key: string, gaps: Record<string, string | number> = {}): string {
    return fill(this.find(key) ?? key.slice(key.lastIndexOf('.') + 1), gaps);
  }

  word(name: string, word: string): string {
    const group = name.replace(/\d+$/, '');
    return this.find(`words.${group}.${word}`) ?? this.find(`words.${group.split('_').at(-1)}.${word}`) ?? word;
  }

  card(code: string): string {
    const kind = this.actions.kinds.get(code);
    if (!kind) return code;
    const gaps = Object.fromEntries(
      Object.entries(kind.words).map(([name, word]) => [name, this.word(name, word)]),
    );
    return this.say(`card.${kind.form}`, gaps);
  }

  /** An action as a choice. */
  label(action: string): string {
    const said = this.actions.read(action);
    return said ? this.say(`actions.${said.verb.name}`, this.#gaps(said)) : action;
  }

  /** An action as it is told afterwards; of a hidden one there is only the verb. */
  told(seat: number, text: string): string {
    const who = this.name(seat);
    const said = this.actions.read(text);
    if (!said) return this.say(`log.${text}_hidden`, { who });
    return this.say(`log.${said.verb.name}`, { who, ...this.#gaps(said) });
  }

  #gaps(said: Said): Record<string, string> {
    return Object.fromEntries(
      Object.entries(said.words).map(([name, word]) => [name, this.#gap(name, word)]),
    );
  }

  #gap(name: string, word: string): string {
    if (name === 'card') return this.card(word);
    if (name === 'seat') return this.name(Number(word));
    return this.word(name, word);
  }

  zone(family: string): string {
    return this.say(`zones.${family}`);
  }

  button(word: string, group: string | null): string {
    return this.find(`buttons.${word}`) ?? (group ? this.word(group, word) : word);
  }

  prompt(view: View): string {
    const { prompt } = this.description;
    return this.say(`prompts.${prompt ? String(view.fields[prompt]) : 'turn'}`);
  }

  /** The fields for everyone's eyes, as sentences. */
  facts(view: View): { name: string; text: string }[] {
    return this.description.facts.flatMap((name) => {
      const value = view.fields[name];
      if (value === null || value === undefined || (Array.isArray(value) && !value.length)) return [];
      return [{ name, text: this.say(`facts.${name}`, { value: this.#value(name, value) }) }];
    });
  }

  #value(name: string, value: unknown): string {
    const kind = this.description.fields[name]?.kind;
    if (kind === 'seat') return this.name(Number(value));
    if (kind === 'seats') return (value as number[]).map((seat) => this.name(seat)).join(', ');
    if (kind === 'kind') return this.card(String(value));
    return this.word(name, String(value));
  }
}
