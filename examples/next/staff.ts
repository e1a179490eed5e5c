import { createHash, timingSafeEqual } from 'node:crypto';
import { cookies } from 'next/headers';

/** The cookie of somebody who is signed in. */
export const STAFF_COOKIE = 'staff';

/** Returns the token that signs staff in. Your platform has its own sign-in. @throws Error if `STAFF_TOKEN` is not set. */
export function staffToken(): string {
  const token = process.env.STAFF_TOKEN ?? '';
  if (token.length < 32) throw new Error('Set STAFF_TOKEN: export STAFF_TOKEN=$(openssl rand -hex 32)');
  return token;
}

/** Returns whether this is the token. It compares hashes, so the time tells nothing. */
export function isStaffToken(given: string): boolean {
  const hash = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(hash(given), hash(staffToken()));
}

/** Returns whether the request comes from somebody who is signed in. */
export async function isStaff(): Promise<boolean> {
  return isStaffToken((await cookies()).get(STAFF_COOKIE)?.value ?? '');
}
