import type { ApplicationRecord } from '../domain/application.js';
import { STAGES_OF } from '../domain/application.js';
import { fingerprintJson, IDEMPOTENCY_TTL_MS, type StoredReply } from '../domain/idempotency.js';
import type { KeyId } from '../domain/ids.js';
import { RESUME_DELAYS_MS } from '../domain/resume.js';
import type { Instant } from '../domain/time.js';
import type { AcceptedSubmission } from '../ports/repositories/submissions.js';
import type { Repositories } from '../ports/repositories.js';
import type { Acceptance } from './decide-outcomes.js';
import type { SubmitCall } from './partner-api.js';

/** Builds the 201 that is stored; a replay is then the same to the byte. */
export type ComposeReply = (application: ApplicationRecord) => StoredReply;

/** Gives a key's next stamp, one for each of its acceptances. */
export type NextStamp = (keyId: KeyId) => Instant;

/**
 * Takes a stamp for each call that may come to be accepted. Those of calls that are refused after all stay
 * unused: stamps only ever need to increase. The heads of the feeds stay locked until the commit.
 */
export async function takeStamps(
  tx: Repositories,
  calls: readonly SubmitCall[],
  now: Instant,
): Promise<NextStamp> {
  const counts = new Map<KeyId, number>();
  for (const { key } of calls) counts.set(key.id, (counts.get(key.id) ?? 0) + 1);
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

/** Builds all that an acceptance leaves behind, stamped in the order of the acceptances. */
export function acceptSubmissions(
  acceptances: readonly Acceptance[],
  nextStamp: NextStamp,
  composeReply: ComposeReply,
  now: Instant,
): readonly AcceptedSubmission[] {
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
