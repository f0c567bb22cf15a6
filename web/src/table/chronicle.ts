// The log as it is read: headings, and one entry for each choice, with its cards.

import type { Description, LineData } from '../protocol';
import type { Actions } from '../taps';
import type { Words } from '../words';

export interface Entry {
  kind: 'round' | 'chapter' | 'turn';
  seq: number;
  seat: number | null;
  text: string;
  /** What came of it. */
  events: { text: string; matters: boolean }[];
  cards: string[];
  by: LineData['by'];
}

export const isDeal = (line: LineData): boolean => line.seat === undefined || line.seat === null;

/** Lines of one choice have one number. */
function choices(log: LineData[]): LineData[][] {
  const found: LineData[][] = [];
  for (const line of log) {
    if (found.at(-1)?.[0]?.seq === line.seq && !isDeal(line)) found.at(-1)!.push(line);
    else found.push([line]);
  }
  return found;
}

export class Chronicle {
  constructor(
    readonly description: Description, readonly actions: Actions, readonly words: Words,
    readonly roundTitle: (n: number) => string, readonly note: (line: LineData) => string = () => '',
  ) {}

  read(log: LineData[]): Entry[] {
    const entries: Entry[] = [];
    let round = 0;
    let chapters = 0;
    // Where chapters end with an event, the first one begins with the first turn of a round.
    let opens = false;
    for (const lines of choices(log)) {
      const first = lines[0]!;
      if (first.note) {
        entries.push({ ...heading('turn', first.seq, this.note(first)), seat: first.seat ?? null });
        continue;
      }
      if (isDeal(first)) {
        entries.push(heading('round', first.seq, this.roundTitle(++round)));
        [chapters, opens] = [0, true];
      } else {
        const chapter = this.#chapter(lines, opens);
        if (chapter) entries.push(heading('chapter', first.seq, this.words.say(`headings.${chapter}`, { n: ++chapters })));
        opens = false;
      }
      const told = this.#turn(lines);
      if (told.text || told.events.length) entries.push(told);
      opens ||= this.#ends(lines);
    }
    return entries;
  }

  #chapter(lines: LineData[], opens: boolean): string | null {
    for (const { name, verb, after } of this.description.chapters) {
      if (verb && lines.some((line) => line.action && this.actions.find(line.action)?.verb.name === verb)) return name;
      if (after.length && opens) return name;
    }
    return null;
  }

  #ends(lines: LineData[]): boolean {
    const events = lines.flatMap((line) => line.events ?? []).map((event) => event.name);
    return this.description.chapters.some(({ after }) => after.some((name) => events.includes(name)));
  }

  /** Of several actions the last one is told; what came of them says the rest. */
  #turn(lines: LineData[]): Entry {
    const last = lines.at(-1)!;
    const events = lines.flatMap((line) => line.events ?? []).filter((event) => event.name !== 'scored').map((event) => ({
      text: this.words.event(event), matters: this.#matters(event.name),
    }));
    const cards = lines.flatMap((line) => (line.action ? this.actions.cards(line.action) : []));
    const seat = isDeal(last) ? null : last.seat!;
    const told = seat === null || (lines.length > 1 && events.length) ? (events.shift()?.text ?? '') : this.words.done(last);
    return { kind: 'turn', seq: last.seq, seat, text: told, events, cards, by: last.by };
  }

  #matters(name: string): boolean {
    return ['outcome', 'end'].includes(this.description.events.find((kind) => kind.name === name)?.weight ?? '');
  }
}

const heading = (kind: Entry['kind'], seq: number, text: string): Entry =>
  ({ kind, seq, seat: null, text, events: [], cards: [], by: undefined });
