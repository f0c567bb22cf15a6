// A table of a made-up game, small enough to see through.

import type { Description, View } from '../src/protocol';

export const description: Description = {
  name: 'sample',
  version: 1,
  players: [2, 3],
  families: [
    family('hand', 'hand', 'seat', true),
    family('drawn', 'fan', 'seat', true),
    { ...family('display', 'stacks', 'seat', true), parts: ['red', 'blue'], pile: true },
    { ...family('discard', 'pile', 'centre', false), pile: true },
    { ...family('house', 'stacks', 'centre', false), parts: ['1', '2'], pile: true },
    family('draw', 'pile', 'centre', false),
  ],
  verbs: [
    verb('kol', 'kol {card}', { card: ['r5', 'b5', 'r1'] }, ['hand/{card}', 'discard']),
    verb('kolpa', 'kolpa {card}', { card: ['r5', 'b5', 'r1'] }, ['hand/{card}', 'display']),
    verb('call', 'joker {colour}', { colour: ['red', 'blue'] }, ['hand/joker', '={colour}']),
    verb('beside', '{card}>{seat}', { card: ['r5', 'b5', 'r1'], seat: ['0', '1', '2'] }, ['hand/{card}', 'display.{seat}']),
    verb('onto', '{card}>{seat}:{number}', { card: ['r5', 'b5', 'r1'], seat: ['0', '1', '2'], number: ['1', '5'] }, ['hand/{card}', 'display.{seat}/{number}']),
    verb('play', '{card}>>{houses}', { card: ['r5', 'b5', 'r1'], houses: ['1', '2', '1+2'] }, ['hand/{card}@houses', 'house.{houses}@houses']),
    verb('pass', 'pass', {}, ['=pass']),
  ],
  kinds: [
    { code: 'r5', form: 'number', words: { colour: 'red', number: '5' } },
    { code: 'b5', form: 'number', words: { colour: 'blue', number: '5' } },
    { code: 'r1', form: 'number', words: { colour: 'red', number: '1' } },
    { code: 'joker', form: 'joker', words: {} },
  ],
  fields: {},
  prompt: null,
  facts: [],
  parts: ['points'],
  low_wins: false,
  ratio: 0.714,
};

export const view: View = {
  round: 1,
  due: [0],
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
  return { name, look, spot, per_seat, parts: [], pile: false, looked_through: false };
}

function verb(name: string, template: string, words: Record<string, string[]>, taps: string[]) {
  return { name, template, words, secrecy: 'open' as const, taps };
}
