import { type ApplicationRecord, STAGES_OF } from '../domain/application.js';
import { IDEMPOTENCY_TTL_MS, type StoredReply } from '../domain/idempotency.js';
import type { WindowCount } from '../domain/rate-limit.js';
import { RESUME_DELAYS_MS } from '../domain/resume.js';
import type { Instant } from '../domain/time.js';
import type { AcceptedSubmission, LimitedCharge } from '../ports/repositories/submissions.js';
import type { Repositories } from '../ports/storage.js';
import type { SubmitCall } from './partner-api.js';
import { chargeEach } from './rate-limit.js';
import type { Acceptance, DecidedCall } from './submit-judge.js';
import type { Stamps } from './submit-load.js';

export type BuildReply = (application: ApplicationRecord) => StoredReply;

interface PassedCall extends DecidedCall {
  readonly outcome: Acceptance;
}

export interface AcceptedCall extends PassedCall {
  readonly rows: AcceptedSubmission;
}

/** Thrown if an idempotency key or source id of the batch was bound meanwhile, or if a bucket is full. */
export class BatchConflict extends Error {
  override readonly name = 'BatchConflict';
}

export function isAccepted(decided: DecidedCall): decided is PassedCall {
  return decided.outcome.kind === 'accepted';
}

export function buildRows(
  decided: readonly PassedCall[],
  stamps: Stamps,
  buildReply: BuildReply,
  now: Instant,
): readonly AcceptedCall[] {
  return decided.map((each) => {
    const { call, outcome } = each;
    const application = buildApplication(call, outcome, stamps.next(call.key.id));
    return { ...each, rows: rowsOf(call, application, buildReply, now) };
  });
}

function rowsOf(
  { idempotencyKey, fingerprint, jsonFingerprint }: SubmitCall,
  application: ApplicationRecord,
  buildReply: BuildReply,
  now: Instant,
): AcceptedSubmission {
  const { id: applicationId, keyId, companyId, resumeUrl } = application;
  return {
    application,
    idempotency: {
      keyId,
      idempotencyKey,
      fingerprint,
      jsonFingerprint,
      applicationId,
      companyId,
      reply: buildReply(application),
      createdAt: now,
      expiresAt: now + IDEMPOTENCY_TTL_MS,
    },
    resume:
      resumeUrl === null
        ? null
        : { applicationId, keyId, url: resumeUrl, attempts: 0, dueAt: now + RESUME_DELAYS_MS[0] },
  };
}

function buildApplication(
  { key }: SubmitCall,
  { id, submission, found }: Acceptance,
  stamp: Instant,
): ApplicationRecord {
  return {
    id,
    keyId: key.id,
    jobId: found.job.id,
    companyId: found.company.id,
    sourceApplicationId: submission.sourceApplicationId,
    status: 'received',
    stage: STAGES_OF.received[0],
    submittedAt: stamp,
    lastStatusChangeAt: stamp,
    changedAt: stamp,
    candidate: submission.candidate,
    source: submission.source,
    answers: submission.answers,
    resumeUrl: submission.resumeUrl,
    resume: submission.resumeUrl === null ? { kind: 'none' } : { kind: 'pending', attempts: 0 },
    erasedAt: null,
  };
}

/**
 * Counts the submissions, adds them and commits in one round trip.
 * @throws BatchConflict
 */
export function countAndAdd(
  tx: Repositories,
  accepted: readonly AcceptedCall[],
): Promise<readonly AcceptedCall[]> {
  return chargeEach((charges) => chargeAndAdd(tx, charges, accepted), accepted);
}

/**
 * Adds submissions that were already counted, and commits, in one round trip.
 * @throws BatchConflict
 */
export async function addCounted(tx: Repositories, accepted: readonly AcceptedCall[]): Promise<void> {
  if (accepted.length > 0) await chargeAndAdd(tx, [], accepted);
}

async function chargeAndAdd(
  { submissions }: Repositories,
  charges: readonly LimitedCharge[],
  accepted: readonly AcceptedCall[],
): Promise<readonly WindowCount[]> {
  const rows = accepted.map((each) => each.rows);
  const counts = await submissions.chargeAndAdd(charges, rows);
  if (counts === 'conflict') throw new BatchConflict();
  return counts;
}
