// The seats that are mine: table → token, kept in this browser.

interface MySeat { token: string; seat: number; at: number }

const PLACE = 'kibitz.seats';
const MOST = 100;

function all(): Record<string, MySeat> {
  try {
    return JSON.parse(localStorage.getItem(PLACE) ?? '{}') as Record<string, MySeat>;
  } catch {
    return {};
  }
}

function keep(seats: Record<string, MySeat>): void {
  const newest = Object.entries(seats).sort((a, b) => b[1].at - a[1].at).slice(0, MOST);
  try {
    localStorage.setItem(PLACE, JSON.stringify(Object.fromEntries(newest)));
  } catch {
    // Without a store the seat lasts as long as the page.
  }
}

const here = new Map<string, MySeat>();

export function sitDown(table: string, token: string, seat: number): void {
  const mine = { token, seat, at: Date.now() };
  here.set(table, mine);
  keep({ ...all(), [table]: mine });
}

export function standUp(table: string): void {
  here.delete(table);
  const { [table]: _gone, ...rest } = all();
  keep(rest);
}

export const tokenFor = (table: string): string | undefined =>
  (here.get(table) ?? all()[table])?.token;

export const myTokens = (): string[] => Object.values(all()).map((seat) => seat.token);

/** Tables made by "play now": there the cards are dealt as soon as I sit down. */
export const dealAtOnce = new Set<string>();

/** My part in the deal: a text nobody else could have chosen. */
export function contribution(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
