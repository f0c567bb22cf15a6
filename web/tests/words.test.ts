// Page and terminal fill the same templates. What the terminal says is written by
// `python -m kibitz.server.sentences`.

import { expect, test } from 'vitest';
import type { Claim, Description, LineData, ViewData } from '../src/protocol';
import type { Texts } from '../src/service';
import { Actions } from '../src/taps';
import { Words } from '../src/words';
import samples from './sentences.json';

interface Told {
  view: ViewData;
  tallies: Record<string, string | null>;
  figures: [string, number][];
  markers: string[][];
}

interface Sample {
  description: Description;
  languages: Record<string, {
    texts: Texts;
    lines: { line: LineData; sentences: string[] }[];
    cards: Record<string, [string, string]>;
    labels: { action: string; label: string }[];
    tables: Told[];
    prompts: { fields: ViewData['fields']; legal: string[]; prompt: string }[];
    claims: { claim: Claim; why: string }[];
  }>;
}

const NAMES = ['Ada', 'Blaise', 'Carl', 'Dorothy', 'Emmy', 'Felix'];

for (const [game, { description, languages }] of Object.entries(samples as unknown as Record<string, Sample>)) {
  for (const [lang, { texts, lines, cards, labels, prompts, tables, claims }] of Object.entries(languages)) {
    test(`${game} is told in ${lang} as in the terminal`, () => {
      const words = new Words(description, new Actions(description), texts, (seat) => NAMES[seat]!);
      for (const { line, sentences } of lines) expect(words.sentences(line)).toEqual(sentences);
      expect(lines.length).toBeGreaterThan(3);
      for (const [code, about] of Object.entries(cards)) expect([words.card(code), words.explain(code)]).toEqual(about);
      expect(words.explain('none such')).toBeNull();
      for (const { action, label } of labels) expect(words.label(action, 0)).toBe(label);
      for (const { fields, legal, prompt } of prompts) expect(words.prompt({ fields } as ViewData, legal)).toBe(prompt);
      expect(prompts.length).toBeGreaterThan(0);
      for (const { claim, why } of claims) expect(words.why([claim], 0)).toBe(why);
      expect(claims.length).toBeGreaterThan(12);
      for (const { view, tallies, figures, markers } of tables) {
        for (const [family, tally] of Object.entries(tallies)) expect(words.tally(view, family, 0)).toEqual(tally);
        expect(words.figures(view, 0).map(({ text, n }) => [text, n])).toEqual(figures);
        expect(markers.map((_, seat) => words.markers(view, seat).map(({ text }) => text))).toEqual(markers);
      }
      expect(tables.length).toBeGreaterThan(3);
    });
  }
}

test('Spanish has another "and" before the sound i', () => {
  const { description, languages } = (samples as unknown as Record<string, Sample>).kolpa!;
  const listed = (lang: string, names: string[]): string =>
    new Words(description, new Actions(description), languages[lang]!.texts, String).listed(names);
  for (const name of ['Inés', 'íñigo', 'Hilda', 'Yvonne']) expect(listed('es', ['Ada', 'Blaise', name])).toBe(`Ada, Blaise e ${name}`);
  for (const name of ['Ada', 'Ian', 'hielo', 'Yolanda', '🦊', '']) expect(listed('es', ['Ada', name])).toBe(`Ada y ${name}`);
  expect(listed('de', ['Ada', 'Inés'])).toBe('Ada und Inés');
});

test('a number beside a prompt tells how it comes about', () => {
  const { description, languages } = (samples as unknown as Record<string, Sample>).zocken!;
  const words = new Words(description, new Actions(description), languages.en!.texts, String);
  const figures = (cards: string[]) => {
    const zones = { 'hand.0': { size: cards.length, cards }, 'taken.0': { size: 2 } };
    return words.figures({ fields: { phase: 'turn' }, zones } as unknown as ViewData, 0);
  };
  const [taken, hand] = figures(['g1', 'wild', 'g1', 'blue', 'g7', 'give']);
  expect(hand).toMatchObject({ n: 10, how: expect.stringMatching(/^3 × 1 \+ 2 × 2 \+ 3 = 10\n.*goblin/) });
  expect(taken).toMatchObject({ n: 2, how: expect.stringMatching(/^Each card/) });
  expect(figures([])[1]!.how).toMatch(/^Cards left/);
});

test.each([
  ['en', 'So far in your series: 2 × acorn goblin 2/8 and joker (multicoloured goblin).'],
  ['de', 'Bisher in deiner Serie: 2 × Eichelkobold 2/8 und Joker (bunter Kobold).'],
  ['fr', 'Dans votre série jusqu’ici\u00a0: 2 × lutin gland 2/8 et joker (lutin multicolore).'],
  ['es', 'En tu serie hasta ahora: 2 × duende bellota 2/8 y comodín (duende multicolor).'],
  ['nl', 'Tot nu toe in je serie: 2 × eikelkobold 2/8 en joker (veelkleurige kobold).'],
])('what has been chosen so far is told as a person would, in %s', (lang, said) => {
  const { description, languages } = (samples as unknown as Record<string, Sample>).zocken!;
  const words = new Words(description, new Actions(description), languages[lang]!.texts, String);
  expect(words.chosen(['play give', 'series g2', 'series wild', 'series g2'], 0)).toBe(said);
  expect(words.chosen(['play give', 'to 1'], 0)).toBe(words.label('to 1', 0));
});

test('an announced 0 is told, while no bid is none', () => {
  const facts = (game: string, fields: ViewData['fields']): string[] => {
    const { description, languages } = (samples as unknown as Record<string, Sample>)[game]!;
    const words = new Words(description, new Actions(description), languages.en!.texts, String);
    return words.facts({ fields } as ViewData).map(({ text }) => text);
  };
  expect(facts('kolpa', { called_colour: null, called_number: 0 })).toEqual(['Announced: 0']);
  expect(facts('kolpa', { called_colour: null, called_number: null })).toEqual([]);
  expect(facts('kiza', { high: 0 })).toEqual([]);
});
