// A table of a made-up game, small enough to see through.

import type { ActionData, Description, VerbData, ViewData } from '../src/protocol';

const CARDS = ['r5', 'b5', 'r1'];
const SEATS = ['0', '1', '2'];

export const description: Description = {
  name: 'sample',
  version: 1,
  players: [2, 3],
  families: [
    family('hand', 'hand', 'seat', true),
    { ...family('drawn', 'fan', 'seat', true), part_of: 'hand' },
    { ...family('display', 'stacks', 'seat', true), parts: ['red', 'blue'], pile: true },
    { ...family('discard', 'pile', 'centre', false), pile: true },
    { ...family('house', 'stacks', 'centre', false), parts: ['1', '2'], pile: true },
    family('draw', 'pile', 'centre', false),
  ],
  verbs: [
    verb('kol', ['card']), verb('kolpa', ['card']), verb('call', ['colour']), verb('beside', ['card', 'seat']),
    verb('onto', ['card', 'seat', 'number']), verb('play', ['card', 'houses']), verb('pass', []),
  ],
  actions: [
    ...CARDS.flatMap((card): ActionData[] => [
      [`kol ${card}`, 0, [card], [`hand/${card}`, 'discard']],
      [`kolpa ${card}`, 1, [card], [`hand/${card}`, 'display']],
      ...SEATS.map((seat): ActionData => [`${card}>${seat}`, 3, [card, seat], [`hand/${card}`, `display.${seat}`]]),
      ...SEATS.flatMap((seat) => ['1', '5'].map((n): ActionData =>
        [`${card}>${seat}:${n}`, 4, [card, seat, n], [`hand/${card}`, `display.${seat}/${card[0]}${n}`]])),
      [`${card}>>1+1`, 5, [card, '1+1'], [`hand/${card}`, `hand/${card}`, 'house.1', 'house.1']],
      [`${card}>>1+2`, 5, [card, '1+2'], [`hand/${card}`, `hand/${card}`, 'house.1', 'house.2']],
    ]),
    ['joker red', 2, ['red'], ['hand/joker', '=colour/red']],
    ['joker blue', 2, ['blue'], ['hand/joker', '=colour/blue']],
    ['pass', 6, [], ['=pass']],
  ],
  events: [],
  kinds: [
    { code: 'r5', words: { colour: 'red', number: '5' } },
    { code: 'b5', words: { colour: 'blue', number: '5' } },
    { code: 'r1', words: { colour: 'red', number: '1' } },
    { code: 'joker', words: {} },
  ],
  fields: {},
  prompt: null,
  prompts: { turn: ['kol', 'kolpa'], turn_pass: ['pass'] },
  facts: [],
  markers: [],
  figures: {},
  chapters: [],
  goal: null,
  rounds: null,
  quiet: [],
  tokens: [],
  turned: null,
  swatches: [],
  parts: ['points'],
  low_wins: false,
  ratio: 0.714,
};

export const view: ViewData = {
  round: 1,
  due: [0],
  round_over: false,
  over: false,
  winners: [],
  scores: [0, 0],
  zones: {
    'hand.0': { size: 4, cards: ['r1', 'r1', 'r5', 'joker'] },
    'hand.1': { size: 3 },
    'drawn.0': { size: 1, cards: ['b5'] },
    'drawn.1': { size: 0 },
    'display.0.red': { size: 0 },
    'display.0.blue': { size: 0 },
    'display.1.red': { size: 1, cards: ['r5'] },
    'display.1.blue': { size: 1, cards: ['b5'] },
    discard: { size: 2, cards: ['b5'], known: ['r1'] },
    'house.1': { size: 0 },
    'house.2': { size: 0 },
    draw: { size: 20 },
  },
  fields: {},
};

function family(name: string, look: Description['families'][0]['look'], spot: 'seat' | 'centre', per_seat: boolean) {
  return { name, look, spot, per_seat, parts: [], pile: false, looked_through: false, part_of: null, tally: null, rare: false };
}

function verb(name: string, words: string[]): VerbData {
  return { name, words, secrecy: 'open', continues: false };
}
