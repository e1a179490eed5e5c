import { type Access, type Company, isAccessActive } from './access.js';
import type { FormAnswers } from './application-form.js';
import type { Candidate } from './candidate.js';
import type { Job } from './job.js';
import type { Environment } from './partner-key.js';

/** What a partner asks for when it submits a candidate. Spec: `POST /applications`. */
export interface Submission {
  readonly jobId: string;
  /** The phone as the partner wrote it; normalised once the job's country is known. */
  readonly candidate: Candidate;
  readonly source: string | null;
  readonly sourceApplicationId: string | null;
  readonly answers: FormAnswers;
  readonly resumeUrl: string | null;
}

/** A job with what decides whether a key may apply to it. */
export interface JobForKey {
  readonly job: Job;
  readonly company: Company;
  /** Null if the company never granted this key access. */
  readonly access: Access | null;
}

/** Why a submission is refused for the job's sake. Spec: Errors. */
export type SubmissionRefusal = 'JOB_NOT_FOUND' | 'ACCESS_REVOKED' | 'JOB_CLOSED';

/** Whether a key may apply to a job. */
export type SubmissionDecision =
  | { readonly kind: 'accepted'; readonly found: JobForKey }
  | { readonly kind: 'refused'; readonly code: SubmissionRefusal };

/**
 * May this key apply to this job? In the order of the checks: not found (unknown, of the other world, or
 * never granted), revoked, closed. A job sourced internally is closed to partners.
 */
export function decideSubmission(environment: Environment, found: JobForKey | null): SubmissionDecision {
  if (found === null || found.access === null || found.company.environment !== environment)
    return refused('JOB_NOT_FOUND');
  if (!isAccessActive(found.access)) return refused('ACCESS_REVOKED');
  if (found.job.state !== 'open' || found.job.internalOnly) return refused('JOB_CLOSED');
  return { kind: 'accepted', found };
}

/** The longest `jobId` that is looked up; one that cannot be a job's id is simply not found. */
export const JOB_ID_MAX_LENGTH = 128;

function refused(code: SubmissionRefusal): SubmissionDecision {
  return { kind: 'refused', code };
}
