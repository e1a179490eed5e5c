import { isBootstrapping } from '../../domain/access.js';
import { checkAnswers } from '../../domain/application-form.js';
import type { FieldError } from '../../domain/field-error.js';
import { decideReplay, type IdempotencyRecord } from '../../domain/idempotency.js';
import { type Bucket, keyBucket, type RateLimits, submissionBucket } from '../../domain/rate-limit.js';
import { decideSubmission, type JobForKey, type Submission } from '../../domain/submission.js';
import type { Instant } from '../../domain/time.js';
import { validationError, type WireError } from '../../errors.js';
import type { PhoneNumbers } from '../../ports/phone-numbers.js';
import type { SubmitCall } from '../partner-api.js';

/** What was loaded for one submission. */
export interface SubmissionFacts {
  readonly record: IdempotencyRecord | null;
  /** Null also where the body was not valid. */
  readonly found: JobForKey | null;
}

/** What a submission is worth before the rate limit. `bucket` is where it is counted, or would be. */
export type Judgement =
  | { readonly kind: 'replay'; readonly record: IdempotencyRecord; readonly bucket: Bucket }
  | { readonly kind: 'refused'; readonly error: WireError; readonly bucket: Bucket }
  | {
      readonly kind: 'eligible';
      readonly submission: Submission;
      readonly found: JobForKey;
      readonly bucket: Bucket;
    };

/** What judging needs besides the facts. */
export interface JudgeDeps {
  readonly phones: PhoneNumbers;
  readonly limits: RateLimits;
}

/**
 * Judges one submission in the order of the checks: replay, fields, job, access, closed, answers. A replay
 * and what is refused here are counted in the key's guard.
 */
export function judgeSubmission(
  { phones, limits }: JudgeDeps,
  { key, fingerprint, jsonFingerprint, parsed }: SubmitCall,
  { record, found }: SubmissionFacts,
  now: Instant,
): Judgement {
  const guard = keyBucket('guard', key.id, limits);
  const refused = (error: WireError): Judgement => ({ kind: 'refused', error, bucket: guard });

  const replay = decideReplay(record, { fingerprint, jsonFingerprint }, now);
  if (replay.kind === 'replay') return { kind: 'replay', record: replay.record, bucket: guard };
  if (replay.kind === 'reused') {
    return refused({ code: 'IDEMPOTENCY_KEY_REUSED', details: { sameJson: replay.sameJson } });
  }
  if (parsed.kind === 'invalid') return refused(validationError(parsed.errors));

  const decision = decideSubmission(key.environment, found);
  if (decision.kind === 'refused') return refused({ code: decision.code });

  const checked = checkAgainstJob(phones, parsed.submission, decision.found);
  if (checked.kind === 'invalid') return refused(validationError(checked.errors));
  const { company, access } = decision.found;
  return {
    kind: 'eligible',
    submission: checked.submission,
    found: decision.found,
    bucket: submissionBucket(key.id, company.id, isBootstrapping(access, now), limits),
  };
}

type JobCheck =
  | { readonly kind: 'valid'; readonly submission: Submission }
  | { readonly kind: 'invalid'; readonly errors: readonly FieldError[] };

/** The checks that need the job: its questions, and its country for the phone. */
function checkAgainstJob(phones: PhoneNumbers, submission: Submission, { job }: JobForKey): JobCheck {
  const phone = phones.normalize(submission.candidate.phone, job.location.country);
  const errors = checkAnswers(job.applicationFormSchema ?? [], submission.answers);
  if (phone === null) errors.unshift(PHONE_ERROR);
  if (phone === null || errors.length > 0) return { kind: 'invalid', errors };
  return { kind: 'valid', submission: { ...submission, candidate: { ...submission.candidate, phone } } };
}

const PHONE_ERROR: FieldError = {
  field: 'candidate.phone',
  code: 'invalid_format',
  message: 'Not a phone number without an extension. E.164 is best, for example +14155550123.',
};
