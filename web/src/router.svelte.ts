// Where the page is, and how it goes elsewhere.

import { read, type Route } from './route';

export type { Route };

class Router {
  route = $state.raw<Route>(read(location));

  go(path: string, how: 'push' | 'replace' = 'push'): void {
    if (how === 'push') history.pushState(null, '', path);
    else history.replaceState(null, '', path);
    this.route = read(location);
    if (how === 'push') scrollTo(0, 0);
  }

  /** Change the address without leaving the screen. */
  note(path: string): void {
    history.replaceState(null, '', path);
  }

  /** Follow links within the page without loading it again. */
  follow(event: MouseEvent): void {
    if (event.button || event.ctrlKey || event.metaKey || event.shiftKey) return;
    const link = (event.target as Element).closest?.('a');
    if (!link || link.target || link.hasAttribute('download')) return;
    if (link.origin !== location.origin || /^\/(api|art)\//.test(link.pathname)) return;
    if (event.defaultPrevented) return;
    event.preventDefault();
    this.go(link.pathname + link.search + link.hash);
  }
}

export const router = new Router();
addEventListener('popstate', () => {
  router.route = read(location);
});
