// Whether a bot keeps us waiting because the server is still getting its game ready.

import { preparation } from '../service';

const PATIENCE = 1500; // milliseconds after which a bot takes long
const AGAIN = 1000;
const ready = new Set<string>(); // a game that is ready stays so

/** Tell whether a game is not ready for bots yet, until it is or nobody wants to know any more. */
export function whileUnready(game: string, tell: (unready: boolean) => void): (() => void) | undefined {
  if (ready.has(game)) return undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let over = false;
  async function look(): Promise<void> {
    const far = await preparation().catch(() => null);
    if (over) return;
    const step = far?.[game] ?? 'bots'; // games that are not named are ready
    if (far && step === 'bots') ready.add(game);
    tell(step !== 'bots');
    if (!ready.has(game)) timer = setTimeout(() => void look(), AGAIN);
  }
  timer = setTimeout(() => void look(), PATIENCE);
  return () => {
    over = true;
    clearTimeout(timer);
    tell(false);
  };
}
