// The dialogs that can be opened from every screen.

class Overlay {
  open = $state<'settings' | 'keys' | null>(null);

  show(which: 'settings' | 'keys'): void {
    this.open = which;
  }

  hide(): void {
    this.open = null;
  }
}

export const overlay = new Overlay();
