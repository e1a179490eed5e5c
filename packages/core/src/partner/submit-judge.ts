import { isBootstrapping } from '../domain/access.js';
import { checkAnswers, withoutEmptyAnswers } from '../domain/application-form.js';
import type { FieldError } from '../domain/field-error.js';
import { decideReplay, type StoredReply } from '../domain/idempotency.js';
import type { ApplicationId } from '../domain/ids.js';
import {
  type Bucket,
  type ChargeOutcome,
  keyBucket,
  type RateLimits,
  type RateState,
  submissionBucket,
} from '../domain/rate-limit.js';
import { decideSubmission, type JobForKey, type Submission } from '../domain/submission.js';
import type { Instant } from '../domain/time.js';
import { validationError, type WireError } from '../errors.js';
import type { PhoneNumbers } from '../ports/host-services.js';
import type { IdSource } from '../ports/runtime.js';
import type { SubmitOutcome } from './partner-api.js';
import type { LoadedCall } from './submit-load.js';

export interface JudgeDeps {
  readonly phones: PhoneNumbers;
  readonly limits: RateLimits;
}

export interface JudgedCall extends LoadedCall {
  readonly judgement: Judgement;
  readonly bucket: Bucket;
}

export type Judgement =
  | { readonly kind: 'replay'; readonly applicationId: ApplicationId; readonly reply: StoredReply }
  | { readonly kind: 'refused'; readonly error: WireError }
  | { readonly kind: 'eligible'; readonly submission: Submission; readonly found: JobForKey };

/**
 * Checks for a replay, then checks fields, job, access, job state and answers. Only an eligible call counts
 * toward the company's limit.
 */
export function judgeCall({ phones, limits }: JudgeDeps, loaded: LoadedCall, now: Instant): JudgedCall {
  const { key } = loaded.call;
  const judgement = judge(phones, loaded, now);
  if (judgement.kind !== 'eligible') {
    return { ...loaded, judgement, bucket: keyBucket('guard', key, limits) };
  }
  const { company, access } = judgement.found;
  const bucket = submissionBucket(key, company.id, isBootstrapping(access, now), limits);
  return { ...loaded, judgement, bucket };
}

function judge(phones: PhoneNumbers, { call, record, found }: LoadedCall, now: Instant): Judgement {
  const replay = decideReplay(record, call, now);
  if (replay.kind === 'replay') {
    const { applicationId, reply } = replay.record;
    return { kind: 'replay', applicationId, reply };
  }
  if (replay.kind === 'reused') {
    return refused({ code: 'IDEMPOTENCY_KEY_REUSED', details: { sameJson: replay.sameJson } });
  }
  if (call.parsed.kind === 'invalid') return refused(validationError(call.parsed.errors));

  const decision = decideSubmission(call.key.environment, found);
  if (decision.kind === 'refused') return refused({ code: decision.code });
  return checkAgainstJob(phones, call.parsed.submission, decision.found);
}

function refused(error: WireError): Judgement {
  return { kind: 'refused', error };
}

function checkAgainstJob(phones: PhoneNumbers, submission: Submission, found: JobForKey): Judgement {
  const { job } = found;
  const phone = phones.normalize(submission.candidate.phone, job.location.country);
  const questions = job.applicationFormSchema ?? [];
  const errors = checkAnswers(questions, submission.answers);
  if (phone === null) errors.unshift(phoneError(submission.candidate.phone));
  if (phone === null || errors.length > 0) return refused(validationError(errors));
  const candidate = { ...submission.candidate, phone };
  const answers = withoutEmptyAnswers(questions, submission.answers);
  return { kind: 'eligible', submission: { ...submission, candidate, answers }, found };
}

const WITH_COUNTRY_CODE = /^\D*[+＋]/;

function phoneError(phone: string): FieldError {
  const message = WITH_COUNTRY_CODE.test(phone)
    ? 'Must be a possible phone number without an extension, in E.164 such as +14155550123.'
    : "Without a country code, it must be a valid number of the job's country, without an extension. " +
      'Add the country code, for example +33 6 12 34 56 78.';
  return { field: 'candidate.phone', code: 'invalid_format', message };
}

export interface CountedCall extends JudgedCall {
  readonly charge: ChargeOutcome;
  readonly isBoundMeanwhile: boolean;
}

export interface DecidedCall extends CountedCall {
  readonly outcome: Exclude<SubmitOutcome, { kind: 'created' | 'unauthorized' }> | Acceptance;
}

export interface Acceptance {
  readonly kind: 'accepted';
  readonly id: ApplicationId;
  readonly submission: Submission;
  readonly found: JobForKey;
  readonly rate: RateState;
}

/**
 * Checks the rate limit, then the source ids. If two calls have the same source id, the first one gets it.
 */
export function decideOutcomes(counted: readonly CountedCall[], ids: IdSource): readonly DecidedCall[] {
  const owners = new Map<string, ApplicationId>();
  return counted.map((each) => ({ ...each, outcome: decideOutcome(each, owners, ids) }));
}

function decideOutcome(
  { call, judgement, charge, sourceIdOwner }: CountedCall,
  owners: Map<string, ApplicationId>,
  ids: IdSource,
): DecidedCall['outcome'] {
  const rate = charge.state;
  if (!charge.allowed) {
    const isRepeated = judgement.kind === 'eligible' && charge.isRepeatedRefusal;
    return { kind: 'refused', error: { code: 'RATE_LIMITED' }, rate, isRepeated };
  }
  if (judgement.kind === 'replay') {
    const { applicationId, reply } = judgement;
    return { kind: 'replayed', applicationId, reply, rate };
  }
  if (judgement.kind === 'refused') return { kind: 'refused', error: judgement.error, rate };

  const { submission, found } = judgement;
  const sourceId = submission.sourceApplicationId;
  const nameOfOwner = sourceId === null ? null : `${call.key.id}:${sourceId}`;
  const owner = sourceIdOwner ?? (nameOfOwner === null ? undefined : owners.get(nameOfOwner));
  if (owner !== undefined) {
    const details = { applicationId: owner };
    return { kind: 'refused', error: { code: 'DUPLICATE_SOURCE_APPLICATION_ID', details }, rate };
  }
  const id = ids.next('application');
  if (nameOfOwner !== null) owners.set(nameOfOwner, id);
  return { kind: 'accepted', id, submission, found, rate };
}
