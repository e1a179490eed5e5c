import type { PreparedAttack } from './attacks.js';
import type { FloodTally } from './flood.js';

/** The reply after the guard is exhausted. */
export const EXHAUSTED = '429 partner';

/** Returns the errors in the replies to a flood; empty if there are none. */
export function wrongReplies(
  { replies, withoutRetryAfter }: FloodTally,
  allowed: PreparedAttack['allowed'],
  windows: number,
): readonly string[] {
  const wrong = Object.entries(replies).flatMap(([kind, count]) => {
    const most = kind === EXHAUSTED ? Number.POSITIVE_INFINITY : (allowed[kind] ?? 0) * windows;
    return count <= most ? [] : [`${count} × ${kind}, at most ${most}`];
  });
  if ((replies[EXHAUSTED] ?? 0) === 0) wrong.push(`0 × ${EXHAUSTED}`);
  if (withoutRetryAfter > 0) wrong.push(`${withoutRetryAfter} × 429 without Retry-After`);
  return wrong;
}
