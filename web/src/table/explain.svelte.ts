// A card that somebody rests on explains itself: a mouse that has come to rest, a finger that holds, a key.

import type { Attachment } from 'svelte/attachments';
import { settings } from '../settings.svelte';
import type { Table } from './table.svelte';

const REST = 550; // milliseconds
const HOLD = 450;
const NEAR = 12; // pixels: a hand that clicks trembles

// Where somebody pressed last: a mouse that has not left that place has not come to read.
let pressedAt: { x: number; y: number } | null = null;

/** Whether a mouse is on its way, and has not stayed where it clicked. */
function isMoving(event: PointerEvent): boolean {
  if (event.pointerType !== 'mouse' || event.buttons) return false;
  // A card that slides under a mouse at rest is no movement of the mouse.
  if (!event.movementX && !event.movementY) return false;
  if (pressedAt && Math.hypot(event.clientX - pressedAt.x, event.clientY - pressedAt.y) < NEAR) return false;
  pressedAt = null;
  return true;
}

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
        if (wait === HOLD) settings.holds = true;
      }, wait);
    };
    const stop = (): void => {
      clearTimeout(timer);
      if (table.explained === code) table.explained = null;
    };
    const moved = (event: PointerEvent): void => {
      if (table.explained !== code && isMoving(event)) after(REST);
    };
    const pressed = (event: PointerEvent): void => {
      held = false;
      pressedAt = { x: event.clientX, y: event.clientY };
      stop();
      if (event.pointerType !== 'mouse') after(HOLD);
    };
    // A finger that was held to read does not choose.
    const clicked = (event: MouseEvent): void => {
      if (held && (event as PointerEvent).pointerType !== 'mouse') {
        event.preventDefault();
        event.stopImmediatePropagation();
      }
      held = false;
    };
    const listening = new AbortController();
    const on = { signal: listening.signal };
    element.addEventListener('pointermove', moved, on);
    element.addEventListener('pointerdown', pressed, on);
    for (const end of ['pointerleave', 'pointerup', 'pointercancel'] as const) element.addEventListener(end, stop, on);
    element.addEventListener('click', clicked, { ...on, capture: true });
    element.addEventListener('contextmenu', (event) => event.preventDefault(), on);
    return () => {
      stop();
      listening.abort();
    };
  };
}
