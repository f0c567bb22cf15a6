// Whether the server kept to the secret that it had committed itself to.

import type { Deal } from '../protocol';

/** null: this browser cannot tell, since the page did not come over a secure connection. */
export async function dealHolds(deal: Deal, commitment: string): Promise<boolean | null> {
  if (!globalThis.crypto?.subtle) return null;
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(deal.secret));
  const hex = Array.from(new Uint8Array(hash), (byte) => byte.toString(16).padStart(2, '0')).join('');
  return hex === commitment;
}
