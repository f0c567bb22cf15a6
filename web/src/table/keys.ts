// The keys of the table.

/** Digits choose among what can be tapped now: my cards first, then buttons, then the table. */
function nth(root: HTMLElement | undefined, digit: number): HTMLElement | undefined {
  const found = [...(root?.querySelectorAll<HTMLElement>('[data-tap]') ?? [])];
  const rank = (tap: HTMLElement): number => (tap.closest('.hand') ? 0 : tap.dataset.actionButton ? 1 : 2);
  return found.sort((a, b) => rank(a) - rank(b))[digit - 1];
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
  if (/^[1-9]$/.test(event.key)) {
    const chosen = nth(root, Number(event.key));
    chosen?.click();
    return;
  }
  const key = keys[event.key.length === 1 ? event.key.toLowerCase() : event.key];
  if (!key) return;
  event.preventDefault();
  key();
}
