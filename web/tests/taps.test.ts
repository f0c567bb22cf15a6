import { expect, test } from 'vitest';
import { Actions, foreseen, going, isAmong, isOpenCard, lastOfTrick, openAfter, settled, takenBack, verbOf, type Pick } from '../src/taps';
import type { ActionData } from '../src/protocol';
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

test('what is meant shines, and not an equal card elsewhere', () => {
  const lit = actions.places(actions.find('r5>1:5')!.steps, 0);
  expect([isAmong(lit, 'hand.0', 'r5'), isAmong(lit, 'drawn.0', 'r5'), isAmong(lit, 'display.1.red', 'r5')]).toEqual([true, true, true]);
  expect([isAmong(lit, 'hand.1', 'r5'), isAmong(lit, 'discard', 'r5'), isAmong(lit, 'hand.0', 'b5')]).toEqual([false, false, false]);
  expect(isAmong(['r5'], 'discard', 'r5')).toBe(true);
  expect(actions.zones(actions.find('kolpa r5')!.steps, 0)).toEqual(['display.0']);
  expect([actions.places(['=colour/red'], 0), actions.zones(['=pass'], 0)]).toEqual([[], []]);
});

test('only what begins a legal action can be tapped', () => {
  const paths = actions.paths(['kol r5', 'kolpa r5', 'joker red', 'pass'], view, 0);
  const first = openAfter(paths, []);
  expect(isOpenCard(first, 'hand.0', 'r5')).toBe(true);
  expect(isOpenCard(first, 'hand.0', 'r1')).toBe(false);
  expect(['r5', 'joker', 'r1'].map((code) => verbOf(first, 'hand.0', code))).toEqual(['kol', 'call', undefined]);
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

test('a second tap takes a card back, but a place only where it cannot be meant twice', () => {
  const house = zone('house.1');
  const paths = actions.paths(['r1>>1+1', 'r1>>1+2'], view, 0);
  const picks = [card('r1', 0), card('r1', 1), house];
  expect(takenBack(paths, picks, card('r1', 1))).toBe(1);
  expect(takenBack(paths, picks, house)).toBe(-1);
  expect(settled(paths, [...picks, house])?.action.text).toBe('r1>>1+1');
  expect(takenBack(actions.paths(['r1>>1+2'], view, 0), picks, house)).toBe(2);
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

test('the last card of a trick lies in it for a moment, whoever played it', () => {
  const trick = { ...description.families[3]!, name: 'trick', look: 'trick' as const, per_seat: true };
  const tricks = {
    ...description, families: [...description.families, trick],
    actions: description.actions.map(([text, n, words, taps]): ActionData =>
      [text, n, words, taps.map((tap) => (tap === 'discard' ? 'trick' : tap))]),
  };
  const play = new Actions(tricks).find('kol r5');
  const zones = { ...view.zones, 'hand.1': { size: 2 }, 'trick.0': { size: 1, cards: ['r1'] }, 'trick.1': { size: 0 } };
  const before = { ...view, due: [1], zones };
  const taken = { ...before, due: [0], zones: { ...zones, 'hand.1': { size: 1 }, 'trick.0': { size: 0 } } };
  const whole = lastOfTrick(tricks, play, 1, before, taken);
  expect(whole?.zones['trick.0']?.cards).toEqual(['r1']);
  expect(whole?.zones['trick.1']?.cards).toEqual(['r5']);
  expect(whole?.zones['hand.1']?.size).toBe(1);
  expect(whole?.due).toEqual([0]);
  const mine = lastOfTrick(tricks, play, 0, { ...before, zones: { ...zones, 'trick.0': { size: 0 } } }, taken);
  expect(mine?.zones['hand.0']?.cards).toEqual(['r1', 'r1', 'joker']);
  const stays = { ...taken, zones: { ...zones, 'trick.1': { size: 1, cards: ['r5'] } } };
  expect(lastOfTrick(tricks, play, 1, before, stays)).toBeNull();
  expect(lastOfTrick(description, actions.find('kol r5'), 1, before, taken)).toBeNull();
});
