import type { ResumeState } from './application.js';
import type { ApplicationId, KeyId } from './ids.js';
import { HOUR_MS, type Instant, MINUTE_MS, SECOND_MS } from './time.js';

/** A résumé to download. */
export interface ResumeFileTask {
  readonly applicationId: ApplicationId;
  readonly keyId: KeyId;
  readonly url: string;
  /** How many rounds of attempts have failed, of at most three, or four if the server refuses with a status. */
  readonly attempts: number;
  /**
   * When the next round is due: at once, then after 30 seconds and 10 minutes, or after 1, 10 and 60 minutes if the
   * server refuses.
   */
  readonly dueAt: Instant;
}

/** A résumé of an erased candidate, to be removed from the sink. */
export interface ResumeRemoval {
  readonly applicationId: ApplicationId;
  /** Where the sink stored the file; null if a worker may have stored it without recording that. */
  readonly location: string | null;
  readonly attempts: number;
  readonly dueAt: Instant;
}

/** The failure reason of a résumé that the host's scanner rejects. */
export const REFUSED_BY_SCANNER = 'refused_by_scanner';

/**
 * The delays before each of the three rounds of download attempts. More rounds are not needed, because the application
 * is valid without the file.
 */
export const RESUME_DELAYS_MS = [0, 30 * SECOND_MS, 10 * MINUTE_MS] as const;

/**
 * The delays if the server answers that it does not give the file now: an upload or a virus scan is under way, a signed
 * link is not valid yet, or the server is overloaded.
 */
export const REFUSED_RESUME_DELAYS_MS = [0, MINUTE_MS, 10 * MINUTE_MS, HOUR_MS] as const;

/**
 * Returns when the next round starts. Returns null after the last one.
 * @param reason - why the last round failed.
 */
export function nextResumeRound(attemptsMade: number, endedAt: Instant, reason?: string): Instant | null {
  const delays = reason === 'bad_status' ? REFUSED_RESUME_DELAYS_MS : RESUME_DELAYS_MS;
  const delay = delays[attemptsMade];
  return delay === undefined ? null : endedAt + delay;
}

/** Returns when the download of a résumé ended. Null if it has not, or if there is none. */
export function endOfResume(resume: ResumeState): Instant | null {
  if (resume.kind === 'fetched') return resume.fetchedAt;
  return resume.kind === 'failed' ? resume.failedAt : null;
}
