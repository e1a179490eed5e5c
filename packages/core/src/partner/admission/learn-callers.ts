import type { Instant } from '../../domain/time.js';
import type { KeyOfSecret } from '../../ports/repositories/keys.js';
import type { Callers } from '../callers.js';
import type { Admission, AdmitCall } from '../partner-api.js';

/** Remembers whose each secret is, as the storage has just said. */
export function learnFound(
  callers: Callers,
  hashes: readonly (string | null)[],
  found: readonly (KeyOfSecret | null)[],
): void {
  for (const [index, hash] of hashes.entries()) {
    if (hash !== null) callers.learn(hash, found[index] ?? null);
  }
}

/** Remembers that the use of these secrets is written down. */
export function learnUsed(callers: Callers, used: ReadonlyMap<string, KeyOfSecret>, now: Instant): void {
  for (const [hash, found] of used) {
    callers.learn(hash, { ...found, secret: { ...found.secret, lastUsedAt: now } });
  }
}

/** Who is refused at the door is not presumed: nothing of the next request is read before its turn either. */
export function forgetRefused(
  callers: Callers,
  calls: readonly AdmitCall[],
  hashes: readonly (string | null)[],
  admissions: readonly Admission[],
): void {
  for (const [index, hash] of hashes.entries()) {
    const isRefused = admissions[index]?.kind === 'limited' && calls[index]?.bucket === null;
    if (isRefused && hash !== null) callers.learn(hash, null);
  }
}
