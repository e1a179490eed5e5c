/** The staff of the platform: one person, with the token in STAFF_TOKEN. Yours reads your sessions. */
import { createHash, timingSafeEqual } from 'node:crypto';

export interface Staff {
  readonly id: string;
  readonly name: string;
}

const hash = (text: string) => createHash('sha256').update(text).digest();

const token = process.env.STAFF_TOKEN ?? '';
if (token.length < 32) throw new Error('Set STAFF_TOKEN: export STAFF_TOKEN=$(openssl rand -hex 32)');

/** Returns whose token this is, or null. It compares hashes, so the time tells nothing. */
export function staffOf(given: string): Staff | null {
  return timingSafeEqual(hash(given), hash(token)) ? { id: 'rosa', name: 'Rosa Reyes' } : null;
}

/** Returns the staff member who is signed in, or null. */
export function findStaff(cookies: string | null | undefined): Staff | null {
  return staffOf(/(?:^|; )staff=([^;]*)/.exec(cookies ?? '')?.[1] ?? '');
}
