// Cards that changed zone fly from where they lay to where they lie, several one after the other. A card
// takes less than a quarter of a second, a trick or a lot goes to its taker more slowly, and whoever
// has missed moves sees none of them fly.

import { cardImage } from './service';
import type { Flight } from './views';

const TIME_MS = 220;
const GATHERED_MS = 520;
const NEXT_MS = 40; // until the next of several cards leaves
const ALL_GONE_MS = 240; // but until the last one does at most
const MOST = 40;
const EASE = 'cubic-bezier(.25,.8,.35,1)';

interface Lying { code: string; rect: DOMRect; element: HTMLElement }
interface Spot { rect: DOMRect; cards: Lying[] }
export type Picture = Map<string, Spot>;

/** Where every zone and every card is on the screen now. */
export function picture(root: HTMLElement): Picture {
  const found: Picture = new Map();
  for (const element of root.querySelectorAll<HTMLElement>('[data-zone]')) {
    found.set(element.dataset.zone!, { rect: element.getBoundingClientRect(), cards: [] });
  }
  for (const element of root.querySelectorAll<HTMLElement>('[data-card]')) {
    const zone = element.closest<HTMLElement>('[data-zone]')?.dataset.zone;
    if (!zone) continue;
    const face = element.querySelector('img') ?? element;
    found.get(zone)?.cards.push({ code: element.dataset.card!, rect: face.getBoundingClientRect(), element });
  }
  return found;
}

/** What flying cards look like, and from which zones they are taken by somebody who was waited for. */
export interface Flying { game: string; ratio: number; turned: boolean; isGathered: (zone: string) => boolean }

export function fly(how: Flying, before: Picture, after: Picture, moves: Flight[]): void {
  slide(before, after);
  const tops = covered(before, after);
  const shown = moves.slice(0, MOST);
  const next = Math.min(NEXT_MS, ALL_GONE_MS / shown.length);
  for (const [n, move] of shown.entries()) {
    const from = start(before, move);
    const end = target(after, move);
    if (!from || !end) continue;
    const rect = cardRect(end.rect, how.ratio);
    const ghost = ghostOf(how, move.code, rect);
    const top = end.element ? tops.get(move.to) : undefined;
    const under = top ? ghostOf(how, top, rect) : null;
    if (under) document.body.append(under);
    document.body.append(ghost);
    // What is gathered goes together.
    const timing = how.isGathered(move.from)
      ? { duration: GATHERED_MS, easing: 'ease-in-out' }
      : { duration: TIME_MS, easing: EASE, delay: n * next, fill: 'backwards' as const };
    end.element?.animate([{ opacity: 0 }, { opacity: 0 }], timing.duration + (timing.delay ?? 0));
    const begin = cardRect(from, how.ratio);
    const away = `translate(${begin.x - rect.x}px, ${begin.y - rect.y}px) scale(${begin.width / rect.width})`;
    const flight = ghost.animate([{ transform: away }, { transform: 'none' }], timing);
    flight.onfinish = flight.oncancel = () => {
      ghost.remove();
      under?.remove();
    };
  }
}

/** Piles whose top card is new: until it has landed, the card beneath it shows. */
function covered(before: Picture, after: Picture): Map<string, string> {
  const tops = new Map<string, string>();
  for (const [zone, { cards }] of after) {
    const were = before.get(zone)?.cards ?? [];
    if (cards.length === 1 && were.length === 1) tops.set(zone, were[0]!.code);
  }
  return tops;
}

function start(before: Picture, { from, code }: Flight): DOMRect | undefined {
  const spot = before.get(from);
  const card = spot?.cards.findIndex((c) => c.code === code) ?? -1;
  return card < 0 ? spot?.rect : spot!.cards.splice(card, 1)[0]!.rect;
}

function target(after: Picture, { to, code }: Flight): { rect: DOMRect; element?: HTMLElement } | undefined {
  const spot = after.get(to);
  const card = spot?.cards.findLastIndex((c) => c.code === code) ?? -1;
  return card < 0 ? spot : spot!.cards.splice(card, 1)[0];
}

/** The largest card in the middle of a rectangle. */
function cardRect(rect: DOMRect, ratio: number): DOMRect {
  const width = Math.max(24, Math.min(rect.width, rect.height * ratio));
  const height = width / ratio;
  return new DOMRect(rect.x + (rect.width - width) / 2, rect.y + (rect.height - height) / 2, width, height);
}

function ghostOf({ game, turned }: Flying, code: string | null, rect: DOMRect): HTMLElement {
  const face = document.createElement('img');
  face.src = cardImage(game, code ?? 'back');
  face.alt = '';
  face.style.width = '100%';
  if (turned && code !== null) face.style.rotate = '180deg';
  const ghost = document.createElement('span');
  ghost.className = 'flying';
  ghost.append(face);
  Object.assign(ghost.style, {
    position: 'fixed', left: `${rect.x}px`, top: `${rect.y}px`, width: `${rect.width}px`,
    height: `${rect.height}px`, transformOrigin: '0 0', pointerEvents: 'none', zIndex: '60',
  });
  return ghost;
}

/** Cards that stay in their zone make room for others. */
function slide(before: Picture, after: Picture): void {
  for (const [zone, { cards }] of after) {
    const were = [...(before.get(zone)?.cards ?? [])];
    for (const card of cards) {
      const at = were.findIndex((c) => c.code === card.code);
      if (at < 0) continue;
      const [was] = were.splice(at, 1);
      const x = was!.rect.x - card.rect.x;
      const y = was!.rect.y - card.rect.y;
      if (Math.abs(x) + Math.abs(y) < 2) continue;
      card.element.animate(
        [{ transform: `translate(${x}px, ${y}px)` }, { transform: 'none' }],
        { duration: TIME_MS, easing: EASE },
      );
    }
  }
}
