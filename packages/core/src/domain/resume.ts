import type { ApplicationId, KeyId } from './ids.js';
import { type Instant, MINUTE_MS, SECOND_MS } from './time.js';

/** A résumé to download. */
export interface ResumeFileTask {
  readonly applicationId: ApplicationId;
  readonly keyId: KeyId;
  readonly url: string;
  readonly attempts: number;
  readonly dueAt: Instant;
}

/** The failure reason if the host's scanner rejects it. */
export const REFUSED_BY_SCANNER = 'refused_by_scanner';

/** Three rounds are enough: a failed download does not affect the submission. */
export const RESUME_DELAYS_MS = [0, 30 * SECOND_MS, 10 * MINUTE_MS] as const;

/** Returns null after the last round. */
export function nextResumeRound(attemptsMade: number, endedAt: Instant): Instant | null {
  const delay = RESUME_DELAYS_MS[attemptsMade];
  return delay === undefined ? null : endedAt + delay;
}
