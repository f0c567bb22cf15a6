// A card that somebody rests on explains itself: a mouse that stays, a finger that holds, a key.

import type { Attachment } from 'svelte/attachments';
import type { Table } from './table.svelte';

const REST = 550; // milliseconds
const HOLD = 450;

/** Rest or hold, and the card is explained until one leaves it. */
export function explaining(table: Table, code: string | null): Attachment<HTMLElement> {
  return (element) => {
    if (code === null) return;
    let timer: number | undefined;
    let held = false;
    const after = (wait: number): void => {
      clearTimeout(timer);
      timer = window.setTimeout(() => {
        held = true;
        table.explained = code;
      }, wait);
    };
    const stop = (): void => {
      clearTimeout(timer);
      if (table.explained === code) table.explained = null;
    };
    const entered = (event: PointerEvent): void => {
      if (event.pointerType === 'mouse') after(REST);
    };
    const pressed = (event: PointerEvent): void => {
      held = false;
      if (event.pointerType !== 'mouse') after(HOLD);
      else stop();
    };
    // A finger that was held to read does not choose.
    const clicked = (event: MouseEvent): void => {
      if (held && (event as PointerEvent).pointerType !== 'mouse') {
        event.preventDefault();
        event.stopImmediatePropagation();
      }
      held = false;
    };
    const menu = (event: Event): void => event.preventDefault();
    element.addEventListener('pointerenter', entered);
    element.addEventListener('pointerdown', pressed);
    for (const end of ['pointerleave', 'pointerup', 'pointercancel'] as const) element.addEventListener(end, stop);
    element.addEventListener('click', clicked, { capture: true });
    element.addEventListener('contextmenu', menu);
    return () => {
      stop();
      element.removeEventListener('pointerenter', entered);
      element.removeEventListener('pointerdown', pressed);
      for (const end of ['pointerleave', 'pointerup', 'pointercancel'] as const) element.removeEventListener(end, stop);
      element.removeEventListener('click', clicked, { capture: true });
      element.removeEventListener('contextmenu', menu);
    };
  };
}
