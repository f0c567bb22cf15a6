// The little markup of a rulebook: **strong**, `code`, {card}.

export interface Piece {
  kind: 'plain' | 'strong' | 'code' | 'card';
  text: string;
}

const MARKUP = /\*\*([^*]+)\*\*|`([^`]+)`|\{([^}]+)\}/g;

export function marked(text: string): Piece[] {
  const pieces: Piece[] = [];
  let at = 0;
  for (const found of text.matchAll(MARKUP)) {
    if (found.index > at) pieces.push({ kind: 'plain', text: text.slice(at, found.index) });
    if (found[1]) pieces.push({ kind: 'strong', text: found[1] });
    else if (found[2]) pieces.push({ kind: 'code', text: found[2] });
    else pieces.push({ kind: 'card', text: found[3]! });
    at = found.index + found[0].length;
  }
  if (at < text.length) pieces.push({ kind: 'plain', text: text.slice(at) });
  return pieces;
}
