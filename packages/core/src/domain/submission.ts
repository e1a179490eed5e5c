import { type Access, type Company, isAccessActive } from './access.js';
import type { Candidate } from './application.js';
import type { FormAnswers } from './application-form.js';
import type { Job } from './job.js';
import type { Environment, FoundSecret } from './partner-key.js';

/** Contract: 6. */
export interface Submission {
  readonly jobId: string;
  /** The phone number is as it was sent. `partner/submit-judge.ts` normalizes it by the job's country, or rejects it. */
  readonly candidate: Candidate;
  readonly source: string | null;
  readonly sourceApplicationId: string | null;
  readonly answers: FormAnswers;
  readonly resumeUrl: string | null;
}

/** A job with the key's access to it. */
export interface JobForKey {
  readonly job: Job;
  readonly company: Company;
  readonly access: Access | null;
}

/** What one statement finds for a submission. */
export interface FoundForSubmission {
  /** Null for a secret that does not exist. */
  readonly secret: FoundSecret | null;
  readonly job: JobForKey | null;
}

/** Contract: 6.15. */
export type SubmissionRefusal = 'JOB_NOT_FOUND' | 'ACCESS_REVOKED' | 'JOB_CLOSED';

/** Accepted or refused. */
export type SubmissionDecision =
  | { readonly kind: 'accepted'; readonly found: JobForKey }
  | { readonly kind: 'refused'; readonly code: SubmissionRefusal };

/**
 * Decides whether a key may apply to a job. Returns `JOB_NOT_FOUND` if the job is missing, is in another
 * environment, or was never opened to the key. Next it checks whether access was revoked, and then the job's
 * state.
 */
export function decideSubmission(environment: Environment, found: JobForKey | null): SubmissionDecision {
  if (found === null || found.access === null || found.company.environment !== environment)
    return refused('JOB_NOT_FOUND');
  if (!isAccessActive(found.access)) return refused('ACCESS_REVOKED');
  if (found.job.state !== 'open' || found.job.internalOnly) return refused('JOB_CLOSED');
  return { kind: 'accepted', found };
}

/** Longer ids are not looked up. */
export const JOB_ID_MAX_LENGTH = 128;

function refused(code: SubmissionRefusal): SubmissionDecision {
  return { kind: 'refused', code };
}
