import { expect, test } from 'vitest';
import { Actions, foreseen, going, isOpenCard, openAfter, settled, type Pick } from '../src/taps';
import { description, view } from './sample';

const actions = new Actions(description);
const card = (code: string, index: number, zone = 'hand.0'): Pick => ({ kind: 'card', zone, code, index });
const zone = (name: string): Pick => ({ kind: 'zone', zone: name });

test('an action is found by its text', () => {
  expect(actions.find('kol r5')?.verb.name).toBe('kol');
  expect(actions.find('b5>1:5')?.words).toEqual({ card: 'b5', seat: '1', number: '5' });
  expect(actions.find('b5>1')?.verb.name).toBe('beside');
  expect(actions.find('kol')).toBeNull();
  expect(actions.cards('b5>1:5')).toEqual(['b5']);
});

test('only what begins a legal action can be tapped', () => {
  const paths = actions.paths(['kol r5', 'kolpa r5', 'joker red', 'pass'], view, 0);
  const first = openAfter(paths, []);
  expect(isOpenCard(first, 'hand.0', 'r5')).toBe(true);
  expect(isOpenCard(first, 'hand.0', 'r1')).toBe(false);
  expect(first.buttons.map((button) => button.word)).toEqual(['pass']);
  expect([...openAfter(paths, [card('r5', 2)]).zones]).toEqual(['discard', 'display.0']);
  expect(openAfter(paths, [card('joker', 3)]).buttons).toEqual([{ word: 'red', group: 'colour' }]);
});

test('a path is settled when it is complete, or when only its place is left', () => {
  const both = actions.paths(['kol r5', 'kolpa r5'], view, 0);
  expect(settled(both, [card('r5', 2)])).toBeNull();
  expect(settled(both, [card('r5', 2), zone('discard')])?.action.text).toBe('kol r5');
  expect(settled(actions.paths(['kol r5'], view, 0), [card('r5', 2)])?.action.text).toBe('kol r5');
  expect(settled(actions.paths(['joker red'], view, 0), [card('joker', 3)])).toBeNull();
  expect(settled(both, [])).toBeNull();
});

test('a tap on a card in a named zone means that card alone', () => {
  const paths = actions.paths(['r1>1:5'], view, 0);
  expect(going(paths, [card('r1', 0), card('r5', 0, 'display.1.red')])).toHaveLength(1);
  expect(going(paths, [card('r1', 0), card('b5', 0, 'display.1.blue')])).toHaveLength(0);
});

test('an action can take several taps', () => {
  const [path] = actions.paths(['r1>>1+2'], view, 0);
  expect(path!.taps.map((tap) => (tap.kind === 'button' ? tap.word : tap.zone))).toEqual(
    ['hand.0', 'hand.0', 'house.1', 'house.2'],
  );
});

test('a card beside the hand counts as one of it', () => {
  const paths = actions.paths(['kol b5'], view, 0);
  expect(isOpenCard(openAfter(paths, []), 'drawn.0', 'b5')).toBe(true);
});

test('possible actions need the cards, not the rules', () => {
  const texts = actions.possible(view, 0).map((path) => path.action.text);
  expect(texts).toContain('kol r1');
  expect(texts).toContain('r1>>1+2');
  expect(texts).not.toContain('r5>>1+2');
  expect(texts).not.toContain('r1>2');
  expect(texts).not.toContain('r1>1:1');
});

test('the page foresees where a card will lie', () => {
  const [kol, kolpa] = actions.paths(['kol r5', 'kolpa r5'], view, 0);
  const onPile = foreseen(description, view, kol!, [card('r5', 2)]);
  expect(onPile.zones['hand.0']).toEqual({ size: 3, cards: ['r1', 'r1', 'joker'] });
  expect(onPile.zones.discard).toEqual({ size: 3, cards: ['r5'], known: ['r1', 'b5'] });
  const shown = foreseen(description, view, kolpa!, [card('r5', 2)]);
  expect(shown.zones['display.0.red']?.cards).toEqual(['r5']);
});
