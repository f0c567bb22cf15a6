// A table as this player knows it: what the server told, what is being chosen, what is on its way.

import type {
  ChatLine, Description, Frame, LineData, MovedFrame, Rest, TableFrame, ViewData,
} from '../protocol';
import { VERSION } from '../protocol';
import { Refused, description, texts } from '../service';
import type { Texts } from '../service';
import { settings } from '../settings.svelte';
import { sitDown, tokenFor } from '../seats';
import { Actions, isAmong, lastOfTrick, openAfter, type Path, type Pick } from '../taps';
import { patched } from '../views';
import { wire, type Asked, type AskedHere, type Link } from '../wire.svelte';
import { Words } from '../words';
import { answers, noted } from './asking';
import { Choice } from './choice.svelte';
import { Chooser } from './chooser';
import { Attendant, shown, takePart } from './dealing';
import { joined, type ScoreRow } from './history';
import { Kibitzer } from './kibitzer.svelte';
import { Pace } from './pace.svelte';
import { Past } from './past.svelte';
import { Story } from './story.svelte';

const LINGER = 1000; // milliseconds for which a whole trick lies on the table before it is taken

interface Pending { actions: string[]; view: ViewData }
/** A move, or what else there is to tell. */
export type News = { moved: MovedFrame; before: ViewData } | { told: string[] };

export class Table {
  frame = $state.raw<TableFrame | null>(null);
  description = $state.raw<Description | null>(null);
  texts = $state.raw<Texts | null>(null);
  live = $state.raw<ViewData | null>(null);
  log = $state.raw<LineData[]>([]);
  chat = $state.raw<ChatLine[]>([]);
  sheet = $state.raw<ScoreRow[]>([]);
  pending = $state.raw<Pending | null>(null);
  refusal = $state.raw<Refused | null>(null);
  trouble = $state.raw<Refused | null>(null);
  /** Taps queued for my next turn. */
  premove = $state.raw<Pick[]>([]);
  premoveLost = $state(false);
  /** A round is over: who wants to go on, and when the next one is dealt anyway. */
  rest = $state.raw<Rest | null>(null);
  /** The table as it was just before a trick was taken, while it is still looked at. */
  lingering = $state.raw<ViewData | null>(null);
  /** Counts catch-ups: what changes with one is not animated. */
  leaps = $state(0);
  /** Cards that shine: `hand.0|r5` where it lies, `r5` wherever it lies; and zones that do. */
  lit = $state.raw<string[]>([]);
  litZones = $state.raw<string[]>([]);
  /** Who made the last move. */
  mover: number | null = null;
  choice = new Choice();
  past = new Past(this);
  kibitzer = new Kibitzer(this);
  story = new Story(this);
  pace = new Pace();
  /** A card that somebody rests on, and wants explained. */
  explained = $state<string | null>(null);

  #chooser = new Chooser(this);
  #told: (news: News) => void = () => {};
  #leave: () => void;
  #loading = false;
  #sweep: number | undefined;
  #attendant: Attendant | null = null;

  constructor(readonly id: string, told: (news: News) => void = () => {}, readonly link: Link = wire) {
    this.#told = told;
    shown.add(id);
    this.#leave = link.join((frame) => this.#heard(frame), () => void this.enter());
  }

  close(): void {
    shown.delete(this.id);
    this.pace.drop();
    this.story.clear();
    this.#attendant?.close();
    if (this.frame) this.link.command({ do: 'exit', table: this.id }).catch(() => {});
    this.linger(null);
    this.#leave();
  }

  // What the table is

  get you(): number | null {
    return this.frame?.you ?? null;
  }

  get phase(): TableFrame['phase'] | null {
    return this.frame?.phase ?? null;
  }

  get players(): number {
    return this.frame?.players ?? 0;
  }

  name = (seat: number): string => this.frame?.seats[seat]?.name ?? String(seat + 1);

  actions = $derived(this.description ? new Actions(this.description) : null);
  words = $derived(
    this.description && this.actions && this.texts
      ? new Words(this.description, this.actions, this.texts, this.name)
      : null,
  );

  get stillDue(): boolean {
    return this.you !== null && !!this.live?.due.includes(this.you);
  }

  /** Whether I am asked for a choice, and have not just made it. */
  get due(): boolean {
    return this.stillDue && !this.pending && !this.link.busy && !this.live!.over && !this.frame!.seats[this.you!]?.bot;
  }

  /** The table as it is drawn: a moment looked back at, a choice on its way, a trick, or now. */
  get shown(): ViewData | null {
    if (this.past.view) return this.past.view;
    if (this.pending) return this.pending.view;
    if (this.lingering) return this.lingering;
    return this.live && this.choice.over(this.live);
  }

  /** What I may do after the steps already chosen. */
  get legal(): string[] {
    const last = this.choice.last;
    return last ? (last.after?.legal ?? []) : (this.frame?.legal ?? []);
  }

  isLit = (zone: string, code: string): boolean => isAmong(this.lit, zone, code);

  /** Light up the cards that these actions choose, where they can be chosen; where no card is, the place to tap. */
  shine(actions: string[]): void {
    const steps = actions.flatMap((action) => this.actions!.find(action)?.steps ?? []);
    const cards = this.actions!.places(steps, this.you!);
    this.lit = cards;
    this.litZones = cards.length ? [] : this.actions!.zones(steps, this.you!);
  }

  fade(): void {
    [this.lit, this.litZones] = [[], []];
  }

  /** How much an event matters. */
  weight(event: string): string {
    return this.description?.events.find((kind) => kind.name === event)?.weight ?? 'detail';
  }

  /** Whether the match was ended by agreement: nobody has won it, and there is no review. */
  get agreed(): boolean {
    return this.phase === 'over' && !this.live?.winners.length;
  }

  /** Whether the match ends as soon as I want it: bots agree to anything, and who has gone is not asked. */
  get endsAtOnce(): boolean {
    return !this.frame!.seats.some(({ kind, bot, here, grace }, seat) => seat !== this.you && kind === 'person' && !bot && (here || grace));
  }

  /** Whether there is a move of mine that could be taken back. */
  get hasMoved(): boolean {
    return this.you !== null && this.log.some((line) => line.seat === this.you && !line.note);
  }

  /** Who asks the others for something, and for what. */
  get request(): { seat: number; what: 'undo' | 'end' } | null {
    const seat = this.frame?.seats.findIndex(({ asks }) => asks === 'undo' || asks === 'end') ?? -1;
    return seat < 0 ? null : { seat, what: this.frame!.seats[seat]!.asks as 'undo' | 'end' };
  }

  /** Agree to what somebody asks for, or say no; who asked withdraws it. */
  answer(on: boolean): void {
    if (this.request) void this.ask({ do: this.request.what === 'undo' ? 'undo' : 'offer_end', on });
  }

  /** Whether I have said that I want to go on to the next round. */
  get ready(): boolean {
    return this.you !== null && !!this.rest?.ready.includes(this.you);
  }

  paths = $derived.by<Path[]>(() => {
    if (!this.due || this.past.at !== null || !this.actions) return [];
    const view = this.live && this.choice.over(this.live);
    return view ? this.actions.paths(this.legal, view, this.you!) : [];
  });

  open = $derived(openAfter(this.paths, this.choice.picks));

  /** All that could be tapped if the rules did not mind: for premoves, and to be told why not. */
  possible = $derived.by<Path[]>(() => {
    const view = this.shown;
    return view && this.actions && this.you !== null ? this.actions.possible(view, this.you) : [];
  });

  premoveOpen = $derived(openAfter(this.premove.length ? this.possible : [], this.premove));

  get canPremove(): boolean {
    return this.you !== null && this.phase === 'playing' && !this.due && !this.pending && !this.link.busy && this.past.at === null
      && !this.frame?.seats[this.you]?.bot;
  }

  // Coming to the table

  async enter(): Promise<void> {
    const have = this.frame && this.description ? this.frame.seq : undefined;
    const token = tokenFor(this.id);
    try {
      await this.link.command({ do: 'enter', table: this.id, version: VERSION, token: token ?? null, have: have ?? null });
    } catch (refused) {
      if (refused instanceof Refused) this.trouble = refused;
    }
  }

  async #load(game: string): Promise<void> {
    if (this.#loading) return;
    this.#loading = true;
    try {
      const [about, words] = await Promise.all([description(game), texts(game, settings.lang)]);
      this.description = about;
      this.texts = words;
    } catch (refused) {
      if (refused instanceof Refused) this.trouble = refused;
    } finally {
      this.#loading = false;
    }
  }

  /** The player has changed the language. */
  async translate(): Promise<void> {
    if (this.frame) this.texts = await texts(this.frame.game, settings.lang);
  }

  // News

  #heard(frame: Frame): void {
    if (!('table' in frame) || frame.table !== this.id) return;
    if (frame.t === 'table') {
      this.pace.drop();
      this.#caughtUp(frame);
    } else if (frame.t === 'moved' || this.pace.busy) {
      const mine = frame.t !== 'moved' || frame.seat === null || frame.seat === this.you || !!this.frame?.clock;
      this.pace.show(() => this.#take(frame), mine);
    } else this.#take(frame);
  }

  #take(frame: Frame): void {
    switch (frame.t) {
      case 'moved': return this.#moved(frame);
      case 'seats':
        this.#told({ told: answers(this, this.frame?.seats ?? [], frame.seats) });
        this.#counted(frame.seq, { seats: frame.seats, phase: frame.phase });
        if (this.frame) takePart(this.frame);
        return;
      case 'said':
        this.chat = [...this.chat, frame];
        return this.#counted(frame.seq, {});
      case 'ready':
        this.rest = frame.rest;
        return this.#counted(frame.seq, {});
      case 'hint': return this.kibitzer.heard(frame);
      case 'bars': return this.kibitzer.counted(frame);
      case 'rematch':
        if (frame.token && frame.seat !== undefined) this.#followed(frame.next, frame.token, frame.seat);
        this.frame = this.frame && { ...this.frame, rematch: frame.next };
    }
  }

  /** There is a rematch, and a seat for me: its deal is to be mine as well. */
  #followed(next: string, token: string, seat: number): void {
    sitDown(next, token, seat);
    if (!shown.has(next)) this.#attendant ??= new Attendant(next);
  }

  #counted(seq: number, news: Partial<TableFrame>): void {
    if (!this.frame) return;
    this.frame = { ...this.frame, ...news, seq: Math.max(seq, this.frame.seq) };
  }

  #caughtUp(frame: TableFrame): void {
    if (frame.version !== VERSION) {
      this.trouble = new Refused('version', 'another version');
      return;
    }
    this.log = joined(this.log, frame.log);
    this.chat = merged(this.chat, frame.chat);
    this.sheet = frame.sheet;
    this.rest = frame.rest;
    if (this.frame) {
      const since = this.frame.seq;
      if (frame.seq !== since) this.kibitzer.forget();
      this.#told({ told: frame.log.filter(({ note, seq }) => note && seq > since).map((line) => noted(this, line)) });
    }
    this.leaps++;
    this.linger(null);
    this.story.clear();
    this.frame = frame;
    this.live = frame.view;
    this.trouble = null;
    takePart(frame);
    if (this.pending && !this.stillDue) this.pending = null;
    if (frame.log.at(-1)?.note) this.premove = [];
    this.#chooser.recheck();
    this.kibitzer.resume();
    if (!this.description || this.description.name !== frame.game) void this.#load(frame.game);
  }

  #moved(frame: MovedFrame): void {
    if (!this.frame || !this.live) return;
    if (frame.seq !== this.frame.seq + 1) {
      if (frame.seq > this.frame.seq) void this.enter();
      return;
    }
    const before = this.shown ?? this.live;
    const was = this.live;
    this.mover = frame.seat;
    this.live = patched(was, frame.view);
    this.linger(this.#lastOfTrick(frame, was, this.live));
    this.log = [...this.log, ...frame.lines];
    this.rest = frame.rest ?? null;
    this.frame = {
      ...this.frame, seq: frame.seq,
      legal: frame.legal ?? null,
      turn: frame.turn ?? this.frame.turn, deal: frame.deal ?? this.frame.deal,
      phase: frame.phase ?? this.frame.phase,
    };
    if (frame.sheet) this.sheet = [...this.sheet, frame.sheet];
    if (frame.seat === this.you) {
      this.pending = null;
      this.choice.clear();
    }
    this.kibitzer.forget();
    this.#chooser.recheck();
    this.story.hear(frame);
    this.#told({ moved: frame, before });
  }

  #lastOfTrick(frame: MovedFrame, was: ViewData, now: ViewData): ViewData | null {
    const line = frame.lines.findLast(({ action }) => action !== undefined);
    if (!this.actions || frame.seat === null || !line?.action) return null;
    return lastOfTrick(this.actions.description, this.actions.find(line.action), frame.seat, was, now);
  }

  linger(view: ViewData | null): void {
    clearTimeout(this.#sweep);
    this.lingering = view;
    if (view) this.#sweep = window.setTimeout(() => (this.lingering = null), LINGER);
  }

  // Choosing

  resumeChoice = (): void => this.#chooser.resume();
  tap = (pick: Pick): void => this.#chooser.tap(pick);
  confirm = (): void => this.#chooser.confirm();
  takeBack = (): void => this.#chooser.takeBack();

  /** The round is over, and I want to go on. */
  goOn(): void {
    void this.ask({ do: 'next_round' });
  }

  /** A command whose refusal is shown like that of a move. */
  async ask(command: AskedHere): Promise<Frame | null> {
    try {
      return await this.link.command({ ...command, table: this.id } as Asked);
    } catch (refused) {
      if (refused instanceof Refused) this.refusal = refused;
      return null;
    }
  }
}

function merged(had: ChatLine[], came: ChatLine[]): ChatLine[] {
  const known = new Set(came.map((said) => said.seq));
  return [...had.filter((said) => !known.has(said.seq)), ...came].sort((a, b) => a.seq - b.seq);
}
