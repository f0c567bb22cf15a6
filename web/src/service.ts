// What the page asks over HTTP. Answers that never change are asked for once.

import type {
  Description, GameCard, Games, HistoryData, LessonData, MadeTable, Mine, MineRequest, NewTable, Preparation, Progress, PuzzleData, RefusalData, ReviewData, Rulebook, TableInfo, TakeSeat, TakenSeat,
} from './protocol';

import { settings } from './settings.svelte';

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

async function ask(path: string, init?: RequestInit): Promise<Response> {
  let answer: Response;
  try {
    answer = await fetch(path, init);
  } catch {
    throw new Refused('offline', 'the server cannot be reached');
  }
  if (answer.ok) return answer;
  const said = (await answer.json().catch(() => ({}))) as Partial<RefusalData>;
  if (said.error === 'getting_ready') {
    await new Promise((resolve) => setTimeout(resolve, 1000 * (said.wait ?? 1)));
    return ask(path, init);
  }
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

async function post<B, T>(path: string, body: B): Promise<T> {
  const headers = { 'Content-Type': 'application/json' };
  const answer = await ask(path, { method: 'POST', headers, body: JSON.stringify(body) });
  return (await answer.json()) as T;
}

function bearer(token: string | undefined): RequestInit {
  return token ? { headers: { Authorization: `Bearer ${token}` } } : {};
}

export const games = (): Promise<Games> => once('/api/games');
/** How far each game is. */
export const preparation = async (): Promise<Preparation['games']> =>
  ((await (await ask('/api/ready')).json()) as Preparation).games;
export const description = (game: string): Promise<Description> => once(`/api/games/${game}`);
export const texts = (game: string, lang: string): Promise<Texts> =>
  once(`/api/games/${game}/texts/${lang}`);
export const rulebook = (game: string, lang: string): Promise<Rulebook> =>
  once(`/api/games/${game}/rules/${lang}`);

export const puzzle = (game: string, n: number): Promise<PuzzleData> => once(`/api/games/${game}/puzzles/${n}`);
export const lesson = (game: string): Promise<LessonData> => once(`/api/games/${game}/lesson`);

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

export const makeTable = (wish: NewTable): Promise<MadeTable> => post<NewTable, MadeTable>('/api/tables', wish);
export const takeSeat = (table: string, wish: TakeSeat): Promise<TakenSeat> =>
  post<TakeSeat, TakenSeat>(`/api/tables/${table}/seats`, wish);
export const mine = (tokens: string[]): Promise<Mine[]> => post<MineRequest, Mine[]>('/api/mine', { tokens });

export const tableInfo = async (table: string): Promise<TableInfo> =>
  (await ask(`/api/tables/${table}`)).json();
/** The match choice by choice; when it is over, with all hands open. */
export const history = async (table: string, over: boolean, token?: string): Promise<HistoryData> =>
  (await ask(`/api/tables/${table}/history${over ? '?all=1' : ''}`, bearer(token))).json();
export const matchFile = async (table: string, token?: string): Promise<string> =>
  (await ask(`/api/tables/${table}/match`, bearer(token))).text();

/** The kibitzer's review, or how much of it is done. */
export async function review(table: string, token?: string): Promise<ReviewData | Progress> {
  const answer = await ask(`/api/tables/${table}/review`, bearer(token));
  return (await answer.json()) as ReviewData | Progress;
}

/** A card, with the letters of colours in the player's language. */
export const cardImage = (game: string, code: string): string =>
  `/art/${game}/${settings.lang}/${encodeURIComponent(code)}.svg`;
