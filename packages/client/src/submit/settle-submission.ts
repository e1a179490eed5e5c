import { type Answer, apiErrorOf, requestIdOf } from '../answer.js';
import { type PartnerApiError, type PartnerErrorCode, SubmissionPendingError } from '../errors.js';
import type { Execute, Execution } from '../execute.js';
import { stableJson } from '../json.js';
import type {
  PendingSubmission,
  SettledSubmission,
  SubmissionRecord,
  SubmissionStore,
} from '../submission-store.js';
import type { Application, CreatedApplication, NewSubmission } from '../wire.js';
import { problemWith, requireText } from '../wire-shapes.js';

/** Creates the record with a new idempotency key and the body that every attempt sends. */
export async function createRecord(scope: string, submission: NewSubmission): Promise<PendingSubmission> {
  const { jobId, sourceApplicationId } = submission;
  const body = stableJson(submission);
  return {
    state: 'pending',
    id: recordId(scope, sourceApplicationId),
    scope,
    sourceApplicationId,
    jobId,
    idempotencyKey: crypto.randomUUID(),
    body,
    fingerprint: await sha256(body),
  };
}

/** Returns the id of a record. It is unambiguous, because a scope does not contain a line break. */
export function recordId(scope: string, sourceApplicationId: string): string {
  return `${scope}\n${sourceApplicationId}`;
}

export function requireSourceId({ sourceApplicationId }: NewSubmission): void {
  const own = 'Pass your own identifier, unique among your submissions.';
  requireText('sourceApplicationId', sourceApplicationId, own);
  if (sourceApplicationId === '') throw new TypeError(`sourceApplicationId must not be empty. ${own}`);
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
  readonly findApplication: (id: string, signal?: AbortSignal) => Promise<Application>;
}

/**
 * The error codes that prove that no application exists. The service sends some of these codes for every request with
 * the same content. It sends the others only after it has found no accepted request with the same idempotency key.
 */
const SETTLING: ReadonlySet<PartnerErrorCode> = new Set([
  'VALIDATION_ERROR',
  'JOB_NOT_FOUND',
  'ACCESS_REVOKED',
  'JOB_CLOSED',
  'DUPLICATE_SOURCE_APPLICATION_ID',
  'IDEMPOTENCY_KEY_REUSED',
  'PAYLOAD_TOO_LARGE',
]);

/**
 * Sends a pending submission and saves its outcome.
 * @param wasTried - whether an earlier call may have sent the submission.
 */
export async function settleSubmission(
  context: SubmissionContext,
  record: PendingSubmission,
  wasTried: boolean,
  signal: AbortSignal | undefined,
): Promise<Submitted> {
  const { outcome, wasUncertain } = await send(context, record, signal);
  if (outcome.kind === 'given_up') throw pendingFor(record, outcome.error);
  const { answer } = outcome;
  if (answer.status === 201) {
    return saveAccepted(context, record, answer.json as CreatedApplication, outcomeOf(answer), answer);
  }
  const error = apiErrorOf(answer);
  const owner = wasTried || wasUncertain ? await findOwner(context, record, error, signal) : null;
  if (owner !== null) return saveAccepted(context, record, asCreated(owner), 'found', answer);
  if (!SETTLING.has(error.code)) throw pendingFor(record, error);
  const failure = `The service refused the submission (${error.message}), but the store could not remove its record.`;
  await orPending(record, failure, () => context.store.remove(record));
  throw error;
}

/** If the store fails, the submission stays pending. */
export async function orPending<Result>(
  record: SubmissionRecord,
  failure: string,
  ask: () => Promise<Result>,
): Promise<Result> {
  try {
    return await ask();
  } catch (cause) {
    throw pendingFor(record, new Error(failure, { cause }));
  }
}

function send(
  { execute }: SubmissionContext,
  record: PendingSubmission,
  signal: AbortSignal | undefined,
): Promise<Execution> {
  const { jobId, idempotencyKey, body } = record;
  return execute({
    method: 'POST',
    path: '/applications',
    route: { kind: 'submit_application', jobId },
    headers: { 'content-type': 'application/json', 'idempotency-key': idempotencyKey },
    body,
    problemOf: (answer) => problemWithCreated(answer, record),
    signal,
  });
}

/**
 * Needs only the fields that identify the application: it exists, so the submission must be settled. A response for
 * another submission, such as one from a cache, must not settle it.
 */
function problemWithCreated({ status, json }: Answer, sent: PendingSubmission): string | null {
  if (status !== 201) return 'its status must be 201';
  const problem = problemWith(json, { id: 'text', jobId: 'text', sourceApplicationId: 'textOrNull' });
  if (problem !== null) return problem;
  const field = differingField(json as CreatedApplication, sent);
  return field === null ? null : `its ${field} is not the one that was sent`;
}

/** Returns the field in which an application differs from a submission; null if it is the submission's. */
function differingField(
  { jobId, sourceApplicationId }: Pick<Application, 'jobId' | 'sourceApplicationId'>,
  sent: PendingSubmission,
): 'jobId' | 'sourceApplicationId' | null {
  if (jobId !== sent.jobId) return 'jobId';
  // An erasure sets it to null.
  const isSame = sourceApplicationId === null || sourceApplicationId === sent.sourceApplicationId;
  return isSame ? null : 'sourceApplicationId';
}

function outcomeOf({ headers }: Answer): Submitted['outcome'] {
  return headers.get('idempotent-replayed') === null ? 'created' : 'replayed';
}

function asCreated({ id, sourceApplicationId, jobId, status, submittedAt }: Application): CreatedApplication {
  return { id, sourceApplicationId, jobId, status, createdAt: submittedAt };
}

async function saveAccepted(
  { store, scope }: SubmissionContext,
  { id, sourceApplicationId, idempotencyKey, fingerprint }: PendingSubmission,
  application: CreatedApplication,
  outcome: Submitted['outcome'],
  answer: Answer,
): Promise<Submitted> {
  const base = { id, scope, sourceApplicationId, idempotencyKey, fingerprint };
  const settled: SettledSubmission = { ...base, state: 'submitted', application };
  const failure = `The service created application ${application.id}, but the store could not save this result.`;
  await orPending(settled, failure, () => store.settle(settled));
  return { application, outcome, idempotencyKey, requestId: requestIdOf(answer) };
}

/** Returns the application that the error names as a duplicate. Null if it is another submission's or not named. */
async function findOwner(
  { findApplication }: SubmissionContext,
  record: PendingSubmission,
  { applicationId }: PartnerApiError,
  signal: AbortSignal | undefined,
): Promise<Application | null> {
  if (applicationId === null) return null;
  try {
    const found = await findApplication(applicationId, signal);
    return differingField(found, record) === null ? found : null;
  } catch (cause) {
    signal?.throwIfAborted();
    throw pendingFor(record, cause);
  }
}

function pendingFor({ sourceApplicationId }: SubmissionRecord, cause: unknown): SubmissionPendingError {
  return new SubmissionPendingError(sourceApplicationId, cause);
}
