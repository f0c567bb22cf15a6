// What a player has chosen for themselves, kept in this browser.

export const LANGUAGES = ['en', 'fr', 'de', 'es', 'nl'] as const;
export type Language = (typeof LANGUAGES)[number];
export type Theme = 'system' | 'light' | 'dark';
export type CardSize = 'small' | 'medium' | 'large';
/** How fast others' moves are shown. */
export type PaceName = 'quick' | 'calm' | 'step';

interface Kept {
  name: string;
  lang: Language;
  theme: Theme;
  sounds: boolean;
  motion: boolean;
  cardSize: CardSize;
  confirm: boolean;
  notify: boolean;
  level: string;
  pace: PaceName;
  /** Games that this player knows, or wants no lesson for. */
  known: string[];
  /** Whether this player knows that a card that is held explains itself. */
  holds: boolean;
  /** By which word a hand is sorted, for each game. */
  handOrder: Record<string, string>;
  /** The last puzzle of the day that was solved in each game: its day, and how many tries it took. */
  puzzles: Record<string, { day: number; tries: number }>;
}

const PLACE = 'kibitz.settings';

export function preferred(wanted: readonly string[]): Language {
  for (const tag of wanted) {
    const found = LANGUAGES.find((lang) => lang === tag.slice(0, 2).toLowerCase());
    if (found) return found;
  }
  return 'en';
}

function remembered(): Kept {
  const usual: Kept = {
    name: '', lang: preferred(navigator.languages), theme: 'system', sounds: false, motion: true,
    cardSize: 'medium', confirm: false, notify: false, level: 'medium', pace: 'quick', known: [], holds: false, handOrder: {}, puzzles: {},
  };
  try {
    return { ...usual, ...(JSON.parse(localStorage.getItem(PLACE) ?? '{}') as Partial<Kept>) };
  } catch {
    return usual;
  }
}

export const settings: Kept = $state(remembered());

export function keepSettings(): void {
  try {
    localStorage.setItem(PLACE, JSON.stringify(settings));
  } catch {
    // A browser that keeps nothing still plays.
  }
}

const still = matchMedia('(prefers-reduced-motion: reduce)');

/** Whether cards may fly. */
export const moving = (): boolean => settings.motion && !still.matches;
