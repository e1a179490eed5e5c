import { type Answer, apiErrorOf } from '../answer.js';
import type { PartnerErrorCode } from '../errors.js';
import type { Execution } from '../execute.js';
import { isRecord } from '../is-record.js';
import type { PendingSubmission } from '../submission-store.js';
import type { Application, CreatedApplication } from '../wire.js';
import { findOwner } from './find-owner.js';
import { noteAccepted, noteRefused } from './note-settled.js';
import { pendingFor } from './pending-for.js';
import type { SubmissionContext } from './submission-context.js';
import type { Submitted } from './submitted.js';

/**
 * Answers that the service gives after it has looked for a replay, or that any attempt with this body would get:
 * with them it is certain that there is no application of this submission. Whatever is refused before (a wrong
 * key, a wrong address) says nothing about what an earlier attempt did.
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

/** Sends it until it is settled, or is known not to be. `wasTried`: whether it may have been sent before. */
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
    return noteAccepted(context, record, answer.json as CreatedApplication, outcomeOf(answer), answer);
  }
  const error = apiErrorOf(answer);
  const owner = wasTried || wasUncertain ? await findOwner(context, record, error, signal) : null;
  if (owner !== null) return noteAccepted(context, record, asCreated(owner), 'found', answer);
  if (!SETTLING.has(error.code)) throw pendingFor(record, error);
  await noteRefused(context, record, error);
  throw error;
}

function send(
  { execute }: SubmissionContext,
  { jobId, idempotencyKey, body }: PendingSubmission,
  signal: AbortSignal | undefined,
): Promise<Execution> {
  return execute({
    method: 'POST',
    path: '/applications',
    route: { kind: 'submit_application', jobId },
    headers: { 'content-type': 'application/json', 'idempotency-key': idempotencyKey },
    body,
    isExpected: isCreated,
    signal,
  });
}

function isCreated({ status, json }: Answer): boolean {
  return status === 201 && isRecord(json) && typeof json.id === 'string';
}

function outcomeOf({ headers }: Answer): Submitted['outcome'] {
  return headers.get('idempotent-replayed') === null ? 'created' : 'replayed';
}

function asCreated({ id, sourceApplicationId, jobId, status, submittedAt }: Application): CreatedApplication {
  return { id, sourceApplicationId, jobId, status, createdAt: submittedAt };
}
