import type { ApplicationRecord } from '../domain/application.js';
import { STAGES_OF } from '../domain/application.js';
import { fingerprintJson, IDEMPOTENCY_TTL_MS, type StoredReply } from '../domain/idempotency.js';
import type { KeyId } from '../domain/ids.js';
import { RESUME_DELAYS_MS } from '../domain/resume.js';
import type { Instant } from '../domain/time.js';
import type { AcceptedSubmission, Repositories } from '../ports/repositories.js';
import type { Acceptance } from './decide-outcomes.js';

/** Builds the 201 that is stored; a replay is then the same to the byte. */
export type ComposeReply = (application: ApplicationRecord) => StoredReply;

/**
 * Takes a stamp for each acceptance and builds all that it leaves behind, in the order of the acceptances.
 * Stamps are taken last: the heads of the feeds stay locked until the commit.
 */
export async function acceptSubmissions(
  tx: Repositories,
  acceptances: readonly Acceptance[],
  composeReply: ComposeReply,
  now: Instant,
): Promise<readonly AcceptedSubmission[]> {
  const nextStamp = await takeStamps(tx, acceptances, now);
  return acceptances.map((acceptance) => {
    const application = createApplication(acceptance, nextStamp(acceptance.call.key.id));
    return {
      application,
      idempotency: {
        keyId: application.keyId,
        idempotencyKey: acceptance.call.idempotencyKey,
        fingerprint: acceptance.eligible.fingerprint,
        jsonFingerprint: fingerprintJson(acceptance.call.parsed.json),
        applicationId: application.id,
        companyId: application.companyId,
        reply: composeReply(application),
        createdAt: now,
        expiresAt: now + IDEMPOTENCY_TTL_MS,
      },
      resume:
        application.resumeUrl === null
          ? null
          : {
              applicationId: application.id,
              url: application.resumeUrl,
              attempts: 0,
              dueAt: now + RESUME_DELAYS_MS[0],
            },
    };
  });
}

async function takeStamps(
  tx: Repositories,
  acceptances: readonly Acceptance[],
  now: Instant,
): Promise<(keyId: KeyId) => Instant> {
  const counts = new Map<KeyId, number>();
  for (const { call } of acceptances) counts.set(call.key.id, (counts.get(call.key.id) ?? 0) + 1);
  const requests = [...counts].map(([keyId, count]) => ({ keyId, count }));
  const ranges = requests.length === 0 ? [] : await tx.feed.take(requests, now);
  const next = new Map(ranges.map(({ keyId, first }) => [keyId, first]));
  return (keyId) => {
    const stamp = next.get(keyId);
    if (stamp === undefined) throw new Error('The storage must give a stamp to each key.');
    next.set(keyId, stamp + 1);
    return stamp;
  };
}

function createApplication({ id, call, eligible }: Acceptance, stamp: Instant): ApplicationRecord {
  const { submission, found } = eligible;
  return {
    id,
    keyId: call.key.id,
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
  };
}
