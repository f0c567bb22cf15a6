// What the page asks over HTTP. Answers that never change are asked for once.

import type {
  Description, GameCard, Games, Mine, Rulebook, Seat, TableFrame,
} from './protocol';
import type { History } from './table/history';

/** The server, or the rules, said no. */
export class Refused extends Error {
  constructor(
    readonly error: string,
    text: string,
    readonly rule: string | null = null,
    readonly wait: number | null = null,
  ) {
    super(text);
  }
}

export type Texts = { [key: string]: string | Texts };

export interface NewTable {
  game: string;
  name: string;
  players?: number;
  options?: Record<string, unknown>;
  bots?: (string | null)[];
  clock?: number | null;
  hints?: boolean;
  open?: boolean;
}

export interface Made { table: string; seat: number; token: string; join: string; commitment: string }
export interface TableInfo {
  table: string; game: string; phase: TableFrame['phase']; players: number; seats: Seat[]; commitment: string;
}

async function ask(path: string, init?: RequestInit): Promise<Response> {
  let answer: Response;
  try {
    answer = await fetch(path, init);
  } catch {
    throw new Refused('offline', 'the server cannot be reached');
  }
  if (answer.ok) return answer;
  const said = await answer.json().catch(() => ({}));
  throw new Refused(said.error ?? 'broken', said.text ?? answer.statusText, said.rule, said.wait);
}

const kept = new Map<string, Promise<unknown>>();

/** An answer that stays the same as long as the page is open. */
function once<T>(path: string): Promise<T> {
  let answer = kept.get(path) as Promise<T> | undefined;
  if (!answer) {
    answer = ask(path).then((a) => a.json() as Promise<T>);
    answer.catch(() => kept.delete(path));
    kept.set(path, answer);
  }
  return answer;
}

async function post<T>(path: string, body: unknown): Promise<T> {
  const headers = { 'Content-Type': 'application/json' };
  const answer = await ask(path, { method: 'POST', headers, body: JSON.stringify(body) });
  return (await answer.json()) as T;
}

function bearer(token: string | undefined): RequestInit {
  return token ? { headers: { Authorization: `Bearer ${token}` } } : {};
}

export const games = (): Promise<Games> => once('/api/games');
export const description = (game: string): Promise<Description> => once(`/api/games/${game}`);
export const texts = (game: string, lang: string): Promise<Texts> =>
  once(`/api/games/${game}/texts/${lang}`);
export const rulebook = (game: string, lang: string): Promise<Rulebook> =>
  once(`/api/games/${game}/rules/${lang}`);

/** Where others reach this page: `localhost` means their own machine to them. */
export async function outsideOrigin(): Promise<string> {
  const isLocal = /^(localhost|127\.|\[::1\])/.test(location.hostname);
  const address = isLocal ? await games().then((all) => all.address, () => null) : null;
  return (address ?? location.origin).replace(/\/$/, '');
}

export async function gameCard(game: string): Promise<GameCard> {
  const found = (await games()).games.find((card) => card.name === game);
  if (!found) throw new Refused('no_game', `there is no game ${game}`);
  return found;
}

export const makeTable = (wish: NewTable): Promise<Made> => post('/api/tables', wish);
export const takeSeat = (
  table: string, name: string, join: string, contribution: string,
): Promise<{ seat: number; token: string }> =>
  post(`/api/tables/${table}/seats`, { name, join, contribution });
export const mine = (tokens: string[]): Promise<Mine[]> => post('/api/mine', { tokens });

export const tableInfo = async (table: string): Promise<TableInfo> =>
  (await ask(`/api/tables/${table}`)).json();
/** The match move by move; when it is over, with all hands open. */
export const history = async (table: string, over: boolean, token?: string): Promise<History> =>
  (await ask(`/api/tables/${table}/history${over ? '?all=1' : ''}`, bearer(token))).json();
export const matchFile = async (table: string, token?: string): Promise<string> =>
  (await ask(`/api/tables/${table}/match`, bearer(token))).text();

/** The kibitzer's review, or how much of it is done. */
export async function review(table: string, token?: string): Promise<Review | { progress: number }> {
  const answer = await ask(`/api/tables/${table}/review`, bearer(token));
  return (await answer.json()) as Review | { progress: number };
}

export interface Reviewed {
  number: number; round: number; seat: number; action: string; chances: number[];
  swing: number; best: string | null; loss: number | null; error: number | null;
}
export interface Review {
  players: number; winners: number[]; scores: number[];
  start: number[]; moves: Reviewed[]; decisive: number[];
}

export const cardImage = (game: string, code: string): string =>
  `/art/${game}/${encodeURIComponent(code)}.svg`;
