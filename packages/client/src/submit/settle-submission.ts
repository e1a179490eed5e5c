import { type Answer, apiErrorOf, requestIdOf } from '../answer.js';
import type { CallOptions } from '../call-options.js';
import {
  PartnerApiError,
  type PartnerConnectionError,
  type PartnerErrorCode,
  type PendingParts,
  type PendingReason,
  SubmissionPendingError,
} from '../errors.js';
import type { Execute, Execution } from '../execute.js';
import { refuse, stableJson } from '../json.js';
import type { Listing, ListOptions } from '../listing.js';
import type {
  PendingSubmission,
  SettledSubmission,
  SubmissionRecord,
  SubmissionStore,
} from '../submission-store.js';
import type { Application, CreatedApplication, NewSubmission } from '../wire.js';
import { problemWith, requireText, TEXT, TEXT_OR_NULL } from '../wire-shapes.js';
import { differingField, findInList } from './find-in-list.js';

/** A submission as it was when `submit` was called. */
export interface SubmissionContent
  extends Pick<PendingSubmission, 'jobId' | 'sourceApplicationId' | 'body'> {}

/** @throws TypeError without a `sourceApplicationId`, or if the submission contains itself. */
export function readContent(submission: NewSubmission): SubmissionContent {
  requireSourceId(submission);
  const { jobId, sourceApplicationId } = submission;
  return { jobId, sourceApplicationId, body: stableJson(submission) };
}

/** Creates the record with a new idempotency key and the body that every attempt sends. */
export async function createRecord(
  { scope, now }: Pick<SubmissionContext, 'scope' | 'now'>,
  { jobId, sourceApplicationId, body }: SubmissionContent,
  isReplacement: boolean,
): Promise<PendingSubmission> {
  return {
    state: 'pending',
    id: recordId(scope, sourceApplicationId),
    scope,
    sourceApplicationId,
    jobId,
    idempotencyKey: crypto.randomUUID(),
    body,
    fingerprint: await sha256(body),
    createdAt: Math.floor(now()),
    ...(isReplacement ? { isReplacement } : {}),
  };
}

/** Returns the id of a record. It is unambiguous, because a scope does not contain a line break. */
export function recordId(scope: string, sourceApplicationId: string): string {
  return `${scope}\n${sourceApplicationId}`;
}

function requireSourceId({ sourceApplicationId }: NewSubmission): void {
  const own = 'Pass your own identifier, unique among your submissions.';
  requireText('sourceApplicationId', sourceApplicationId, own);
  if (sourceApplicationId === '') refuse(`sourceApplicationId must not be empty. ${own}`);
}

async function sha256(text: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** A submission that became exactly one application. */
export interface Submitted {
  readonly application: CreatedApplication;
  /**
   * `created`: accepted now. `replayed`: accepted earlier. `found`: the idempotency key had expired, and the
   * client found the application. `known`: the store had the result.
   */
  readonly outcome: 'created' | 'replayed' | 'found' | 'known';
  readonly idempotencyKey: string;
  /** `X-Request-Id`; null if nothing was sent. */
  readonly requestId: string | null;
}

export interface SubmissionContext {
  readonly execute: Execute;
  readonly store: SubmissionStore;
  readonly scope: string;
  readonly now: () => number;
  readonly findApplication: (id: string, call: CallOptions) => Promise<Application>;
  readonly listApplications: (options: ListOptions) => Listing<Application>;
}

/** How a submission was sent before. */
export interface Attempted {
  /** Whether an earlier call may have sent the submission. */
  readonly wasTried: boolean;
  readonly call: CallOptions;
}

/**
 * A record of this age may have been accepted under a key that the service no longer knows. These codes then prove
 * nothing, because they come before the check for duplicates.
 */
const OLD_MS = 23 * 60 * 60 * 1_000;
const BEFORE_DUPLICATES: ReadonlySet<PartnerErrorCode> = new Set([
  'VALIDATION_ERROR',
  'JOB_NOT_FOUND',
  'ACCESS_REVOKED',
  'JOB_CLOSED',
]);

/**
 * The error codes that prove that no application exists. The service sends some of these codes for every request with
 * the same content. It sends the others only after it has found no accepted request with the same idempotency key.
 */
const SETTLING: ReadonlySet<PartnerErrorCode> = new Set([
  ...BEFORE_DUPLICATES,
  'DUPLICATE_SOURCE_APPLICATION_ID',
  'IDEMPOTENCY_KEY_REUSED',
  'PAYLOAD_TOO_LARGE',
]);

/** Sends a pending submission and saves its outcome. */
export async function settleSubmission(
  context: SubmissionContext,
  record: PendingSubmission,
  attempted: Attempted,
): Promise<Submitted> {
  const { outcome, wasUncertain } = await send(context, record, attempted.call);
  const mayBeStored = attempted.wasTried || wasUncertain;
  if (outcome.kind === 'given_up') throw unanswered(record, outcome.error, mayBeStored);
  const { answer } = outcome;
  if (answer.status === 201) {
    return saveAccepted(context, record, answer.json as CreatedApplication, outcomeOf(answer), answer);
  }
  const error = apiErrorOf(answer);
  const owner = mayBeStored ? await findOwner(context, record, error, attempted) : null;
  if (owner !== null) return saveFound(context, record, owner, answer);
  if (!SETTLING.has(error.code)) throw unanswered(record, error, mayBeStored);
  const failure = `The service refused the submission (${error.message}), but the store could not remove its record.`;
  await orPending(record, failure, () => context.store.remove(record), error.requestId);
  throw error;
}

/** If the store fails, the submission stays pending. */
export async function orPending<Result>(
  record: SubmissionRecord,
  failure: string,
  ask: () => Promise<Result>,
  requestId: string | null = null,
): Promise<Result> {
  try {
    return await ask();
  } catch (cause) {
    throw pendingFor(record, 'store', new Error(failure, { cause }), { requestId });
  }
}

function send(
  { execute }: SubmissionContext,
  record: PendingSubmission,
  call: CallOptions,
): Promise<Execution> {
  const { jobId, idempotencyKey, body } = record;
  return execute({
    method: 'POST',
    path: '/applications',
    route: { kind: 'submit_application', jobId },
    headers: { 'idempotency-key': idempotencyKey },
    body,
    sourceApplicationId: record.sourceApplicationId,
    problemOf: (answer) => problemWithCreated(answer, record),
    call,
  });
}

/**
 * Needs only the fields that identify the application: it exists, so the submission must be settled. A response for
 * another submission, such as one from a cache, must not settle it.
 */
function problemWithCreated({ status, json }: Answer, sent: PendingSubmission): string | null {
  if (status !== 201) return 'its status must be 201';
  const problem = problemWith(json, { id: TEXT, jobId: TEXT, sourceApplicationId: TEXT_OR_NULL });
  if (problem !== null) return problem;
  const field = differingField(json as CreatedApplication, sent);
  return field === null ? null : `its ${field} is not the one that was sent`;
}

function outcomeOf({ headers }: Answer): Submitted['outcome'] {
  return headers.get('idempotent-replayed') === null ? 'created' : 'replayed';
}

export function asCreated({
  id,
  sourceApplicationId,
  jobId,
  status,
  submittedAt,
}: Application): CreatedApplication {
  return { id, sourceApplicationId, jobId, status, createdAt: submittedAt };
}

/** Saves the application that another look has found. `answer`: that of the submission. */
export function saveFound(
  context: SubmissionContext,
  record: PendingSubmission,
  found: Application,
  answer: Answer | null,
): Promise<Submitted> {
  return saveAccepted(context, record, asCreated(found), 'found', answer);
}

async function saveAccepted(
  { store, scope }: SubmissionContext,
  { id, sourceApplicationId, idempotencyKey, fingerprint }: PendingSubmission,
  application: CreatedApplication,
  outcome: Submitted['outcome'],
  answer: Answer | null,
): Promise<Submitted> {
  const base = { id, scope, sourceApplicationId, idempotencyKey, fingerprint };
  const settled: SettledSubmission = { ...base, state: 'submitted', application };
  const failure = `The service created application ${application.id}, but the store could not save this result.`;
  const requestId = answer === null ? null : requestIdOf(answer);
  await orPending(settled, failure, () => store.settle(settled), requestId);
  return { application, outcome, idempotencyKey, requestId };
}

/**
 * Returns the application of a submission that was refused, if an earlier attempt has stored it: the one that the error
 * names as a duplicate, or the one in the list for an old record.
 */
async function findOwner(
  context: SubmissionContext,
  record: PendingSubmission,
  error: PartnerApiError,
  { call }: Attempted,
): Promise<Application | null> {
  const { code, applicationId } = error;
  const { isReplacement } = record;
  const isOld = record.createdAt === undefined || context.now() - record.createdAt > OLD_MS;
  const isHidden = isOld && BEFORE_DUPLICATES.has(code);
  // After a replacement, the application of this id may have the old content.
  if (!isHidden && (applicationId === null || isReplacement)) return null;
  let found: Application | null;
  try {
    found =
      applicationId === null
        ? await findInList(context.listApplications, record, call)
        : await context.findApplication(applicationId, call);
  } catch (cause) {
    call.signal?.throwIfAborted();
    throw pendingFor(record, 'no_answer', cause);
  }
  if (found === null || differingField(found, record) !== null) return null;
  if (!(await isKept(context, record))) return null;
  if (isReplacement) throw pendingFor(record, 'no_answer', error);
  return found;
}

/** Another process may have replaced the record, so that the application may have other content. */
async function isKept({ store }: SubmissionContext, record: PendingSubmission): Promise<boolean> {
  const kept = await readAgain(store, record);
  return kept?.idempotencyKey === record.idempotencyKey;
}

export function readAgain(
  store: SubmissionStore,
  record: PendingSubmission,
): Promise<SubmissionRecord | null> {
  return orPending(record, 'The store could not read the record again.', () => store.find(record.id));
}

/** Says why an answer, or none, does not settle a submission. */
function unanswered(
  record: PendingSubmission,
  error: PartnerApiError | PartnerConnectionError,
  mayBeStored: boolean,
): SubmissionPendingError {
  const reason = reasonOf(error);
  const isClear = reason === 'not_sent' || reason === 'unauthorized';
  return pendingFor(record, reason, error, { wasNothingStored: isClear && !mayBeStored });
}

function reasonOf(error: PartnerApiError | PartnerConnectionError): PendingReason {
  if (!(error instanceof PartnerApiError)) return error.reason === 'throttled' ? 'not_sent' : 'no_answer';
  const { code, status } = error;
  if (code === 'UNAUTHORIZED') return 'unauthorized';
  if (code === 'RATE_LIMITED') return 'not_sent';
  return status >= 500 || code === 'IDEMPOTENCY_KEY_IN_PROGRESS' ? 'no_answer' : 'foreign_answer';
}

function pendingFor(
  { sourceApplicationId }: SubmissionRecord,
  reason: PendingReason,
  cause: unknown,
  more: Pick<PendingParts, 'wasNothingStored' | 'requestId'> = {},
): SubmissionPendingError {
  return new SubmissionPendingError({ sourceApplicationId, reason, cause, ...more });
}
