import { expect, test } from 'vitest';
import { flights, patched, zonesOf } from '../src/views';
import { description, view } from './sample';

test('changes are put over a view zone by zone and field by field', () => {
  const after = patched(view, { due: [1], zones: { draw: { size: 19 } }, fields: { phase: 'x' } });
  expect(after.due).toEqual([1]);
  expect(after.zones.draw).toEqual({ size: 19 });
  expect(after.zones.discard).toBe(view.zones.discard);
  expect(view.zones.draw).toEqual({ size: 20 });
});

test('zones are named by family, seat and part', () => {
  const names = zonesOf(description, 2).map((zone) => zone.name);
  expect(names).toContain('display.1.red');
  expect(names).toContain('discard');
});

test('a card that I see flies from zone to zone', () => {
  const after = patched(view, {
    zones: { 'hand.0': { size: 3, cards: ['r1', 'r1', 'joker'] }, discard: { size: 3, cards: ['r5'], known: ['r1', 'b5'] } },
  });
  expect(flights(view, after)).toEqual([{ code: 'r5', from: 'hand.0', to: 'discard' }]);
});

test('a card from a closed hand shows its face when it lands, and a drawn one none', () => {
  const after = patched(view, {
    zones: {
      'hand.1': { size: 3 }, draw: { size: 19 }, discard: { size: 3, cards: ['r5'], known: ['r1', 'b5'] },
    },
  });
  expect(flights(view, after, 'hand.1')).toEqual([
    { code: 'r5', from: 'hand.1', to: 'discard' },
    { code: null, from: 'draw', to: 'hand.1' },
  ]);
  const drawn = patched(view, { zones: { 'hand.1': { size: 4 }, draw: { size: 19 } } });
  expect(flights(view, drawn)).toEqual([{ code: null, from: 'draw', to: 'hand.1' }]);
});

test('nothing flies where nothing has changed', () => {
  expect(flights(view, patched(view, { due: [1] }))).toEqual([]);
});
