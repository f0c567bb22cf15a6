// Which screen the address means.

export type Route =
  | { screen: 'start' }
  | { screen: 'lobby' }
  | { screen: 'mine' }
  | { screen: 'new'; game: string }
  | { screen: 'table'; table: string; at: number | null }
  | { screen: 'join'; table: string; key: string }
  | { screen: 'rules'; game: string; rule: string | null }
  | { screen: 'learn'; game: string; back: string | null }
  | { screen: 'puzzle'; game: string; n: number | null } // null: that of the day
  | { screen: 'unknown' };

export function read(address: { pathname: string; search: string; hash: string }): Route {
  const [head, first, second, ...more] = address.pathname.split('/').filter(Boolean).map(decode);
  if (more.length) return { screen: 'unknown' };
  if (!head) return { screen: 'start' };
  if (head === 'lobby' && !first) return { screen: 'lobby' };
  if (head === 'mine' && !first) return { screen: 'mine' };
  if (head === 'new' && first && !second) return { screen: 'new', game: first };
  if (head === 'rules' && first && !second) {
    return { screen: 'rules', game: first, rule: address.hash.slice(1) || null };
  }
  if (head === 'learn' && first && !second) {
    return { screen: 'learn', game: first, back: new URLSearchParams(address.search).get('back') };
  }
  if (head === 'puzzle' && first && (!second || /^[1-9]\d{0,3}$/.test(second))) {
    return { screen: 'puzzle', game: first, n: second ? Number(second) : null };
  }
  if (head === 't' && first && second) return { screen: 'join', table: first, key: second };
  if (head === 't' && first) {
    const at = new URLSearchParams(address.search).get('at');
    return { screen: 'table', table: first, at: at && /^\d+$/.test(at) ? Number(at) : null };
  }
  return { screen: 'unknown' };
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
