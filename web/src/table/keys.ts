// The keys of the table.

const MORE = 700; // milliseconds in which a second digit belongs to the first

/** What can be tapped now: my cards first, then buttons, then the table. */
function tappable(root: HTMLElement | undefined): HTMLElement[] {
  const found = [...(root?.querySelectorAll<HTMLElement>('[data-tap]') ?? [])];
  const rank = (tap: HTMLElement): number => (tap.closest('.hand') ? 0 : tap.dataset.actionButton ? 1 : 2);
  return found.sort((a, b) => rank(a) - rank(b));
}

let typed = '';
let timer: number | undefined;

/** Digits choose among what can be tapped; where there are more than nine, two of them may. */
function digit(key: string, root: HTMLElement | undefined): void {
  clearTimeout(timer);
  typed += key;
  const taps = tappable(root);
  const choose = (): void => {
    const chosen = tappable(root)[Number(typed) - 1];
    typed = '';
    chosen?.click();
  };
  if (Number(typed) * 10 > taps.length) choose();
  else timer = window.setTimeout(choose, MORE);
}

/** Up and down lead to my hand, wherever one is. */
function toHand(root: HTMLElement | undefined): boolean {
  const card = root?.querySelector<HTMLElement>('.hand button.card[tabindex="0"]');
  card?.focus();
  return !!card;
}

export function pressed(event: KeyboardEvent, keys: Record<string, () => void>, root?: HTMLElement): void {
  if (event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey) return;
  const target = event.target as HTMLElement;
  if (document.querySelector('dialog[open]')) return;
  if (target.closest('input, textarea, select')) {
    if (event.key === 'Escape') target.blur();
    return;
  }
  // A focused button answers to Enter by itself.
  if (event.key === 'Enter' && target.closest('button, a')) return;
  if (/^\d$/.test(event.key) && (typed || event.key !== '0')) return digit(event.key, root);
  if ((event.key === 'ArrowUp' || event.key === 'ArrowDown') && !target.closest('aside') && toHand(root)) {
    event.preventDefault();
    return;
  }
  const key = keys[event.key.length === 1 ? event.key.toLowerCase() : event.key];
  if (!key) return;
  event.preventDefault();
  key();
}
