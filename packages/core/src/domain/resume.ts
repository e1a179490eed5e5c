import type { ApplicationId, KeyId } from './ids.js';
import { type Instant, MINUTE_MS, SECOND_MS } from './time.js';

/** A résumé that is still to be fetched. */
export interface ResumeFileTask {
  readonly applicationId: ApplicationId;
  /** The application's. */
  readonly keyId: KeyId;
  readonly url: string;
  /** Rounds of fetching made so far. */
  readonly attempts: number;
  readonly dueAt: Instant;
}

/** The reason of a failed résumé that the host's scanner refused. */
export const REFUSED_BY_SCANNER = 'refused_by_scanner';

/** Waits between the rounds of fetching. Few: a failed fetch never fails the submission. */
export const RESUME_DELAYS_MS = [0, 30 * SECOND_MS, 10 * MINUTE_MS] as const;

/** When a résumé that could not be fetched is tried again, or null after the last round. */
export function nextResumeRound(attemptsMade: number, endedAt: Instant): Instant | null {
  const delay = RESUME_DELAYS_MS[attemptsMade];
  return delay === undefined ? null : endedAt + delay;
}
