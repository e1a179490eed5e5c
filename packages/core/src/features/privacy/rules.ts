import type { ApplicationRecord } from '../../domain/application.js';
import type { ResumeRemoval } from '../../domain/resume.js';
import type { Instant } from '../../domain/time.js';

/** How many values of each kind were erased. */
export interface ErasureCounts {
  /** Applications whose candidate's data was erased. */
  readonly applications: number;
  /** `sourceApplicationId` values that were cleared. */
  readonly sourceApplicationIds: number;
  /** Stored 201 replies that contained a cleared id. */
  readonly replies: number;
  /** Events that contained a cleared id. */
  readonly events: number;
  /** Excerpts of the partner's responses to events of these applications. */
  readonly excerpts: number;
  /** Résumé downloads that were cancelled. */
  readonly resumeDownloads: number;
  /** Résumés that the worker removes through the résumé sink. */
  readonly resumeFiles: number;
  /** Inbox items that the host had not received, with their errors. */
  readonly inboxItems: number;
}

export const ERASED_KINDS = [
  'applications',
  'sourceApplicationIds',
  'replies',
  'events',
  'excerpts',
  'resumeDownloads',
  'resumeFiles',
  'inboxItems',
] as const satisfies readonly (keyof ErasureCounts)[];

/** A notice for the host about an erasure that the inbox does not report, because it is off. */
export const INBOX_IS_OFF = "The inbox is off: delete the platform's own rows yourself.";

/** The same notice, if the inbox was turned on after the erasure. */
export const INBOX_WAS_OFF =
  "The inbox was off when the candidate was erased: delete the platform's own rows yourself.";

/** Returns a notice of the host's own duty to delete rows. Null if the inbox reports the erasure. */
export function erasureNotice(isRecorded: boolean, isInboxOn: boolean): string | null {
  if (isRecorded) return null;
  return isInboxOn ? INBOX_WAS_OFF : INBOX_IS_OFF;
}

/**
 * Returns the removal of the candidate's résumé. Null without a résumé. A résumé whose download failed must be removed
 * too, because the sink may have stored the file after its deadline.
 * @param leaseUntil - until then, a worker may still store the file.
 */
export function resumeRemovalOf(
  { id, resume }: Pick<ApplicationRecord, 'id' | 'resume'>,
  leaseUntil: Instant,
  now: Instant,
): ResumeRemoval | null {
  if (resume.kind === 'none') return null;
  const location = resume.kind === 'fetched' ? resume.location : null;
  return { applicationId: id, location, attempts: 0, dueAt: Math.max(now, leaseUntil) };
}
