import type { ApplicationId, KeyId } from './ids.js';
import { type Instant, MINUTE_MS, SECOND_MS } from './time.js';

/** A résumé to download. */
export interface ResumeFileTask {
  readonly applicationId: ApplicationId;
  readonly keyId: KeyId;
  readonly url: string;
  /** Completed download rounds. */
  readonly attempts: number;
  readonly dueAt: Instant;
}

/** The failure reason when the host's scanner rejects a résumé. */
export const REFUSED_BY_SCANNER = 'refused_by_scanner';

/** Delays before each round. Three are enough: a failed download does not affect the submission. */
export const RESUME_DELAYS_MS = [0, 30 * SECOND_MS, 10 * MINUTE_MS] as const;

/** Returns when the next round is due, or null after the last one. */
export function nextResumeRound(attemptsMade: number, endedAt: Instant): Instant | null {
  const delay = RESUME_DELAYS_MS[attemptsMade];
  return delay === undefined ? null : endedAt + delay;
}
