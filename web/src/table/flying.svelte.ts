// Cards fly between two pictures of the table, unless something was leapt over.

import { tick, untrack } from 'svelte';
import { fly, picture } from '../fly';
import type { ViewData } from '../protocol';
import { moving } from '../settings.svelte';
import { flights, isWithin, zoneName } from '../views';
import type { Table } from './table.svelte';

/** Called while a component is set up: what changes at its table from now on is seen to move. */
export function flying(tableNow: () => Table | null, rootNow: () => HTMLElement | undefined): void {
  let last: { view: ViewData | null; leaps: number } = { view: null, leaps: 0 };
  $effect.pre(() => {
    const table = tableNow();
    const now = { view: table?.shown ?? null, leaps: table?.leaps ?? 0 };
    untrack(() => {
      const was = last;
      last = now;
      const root = rootNow();
      if (!table || !root || !was.view || !now.view || was.view === now.view || was.leaps !== now.leaps) return;
      if (!moving() || document.hidden) return;
      const hand = table.description!.families.find((family) => family.look === 'hand');
      const from = hand && table.mover !== null ? zoneName(hand.name, table.mover, null) : null;
      const moves = flights(was.view, now.view, from);
      if (!moves.length) return;
      const taken = table.description!.families.filter(({ look }) => look === 'trick' || look === 'lot');
      const isGathered = (zone: string): boolean => taken.some(({ name }) => isWithin(zone, name));
      const before = picture(root);
      void tick().then(() => {
        const after = rootNow();
        if (!after) return;
        const how = { game: table.frame!.game, ratio: table.description!.ratio, turned: 'turned' in after.dataset, isGathered };
        fly(how, before, picture(after), moves);
      });
    });
  });
}
