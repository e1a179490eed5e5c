import type { ApplicationRecord } from '../../domain/application.js';
import { STAGES_OF } from '../../domain/application.js';
import { IDEMPOTENCY_TTL_MS, type StoredReply } from '../../domain/idempotency.js';
import { RESUME_DELAYS_MS } from '../../domain/resume.js';
import type { Instant } from '../../domain/time.js';
import type { AcceptedSubmission } from '../../ports/repositories/submissions.js';
import type { Acceptance } from './decide-outcomes.js';
import type { Stamps } from './take-stamps.js';

/** Builds the 201 that is stored; a replay is then the same to the byte. */
export type BuildReply = (application: ApplicationRecord) => StoredReply;

/** Builds all that an acceptance leaves behind, stamped in the order of the acceptances. */
export function acceptSubmissions(
  acceptances: readonly Acceptance[],
  nextStamp: Stamps['next'],
  buildReply: BuildReply,
  now: Instant,
): readonly AcceptedSubmission[] {
  return acceptances.map((acceptance) => {
    const application = createApplication(acceptance, nextStamp(acceptance.call.key.id));
    return {
      application,
      idempotency: {
        keyId: application.keyId,
        idempotencyKey: acceptance.call.idempotencyKey,
        fingerprint: acceptance.call.fingerprint,
        jsonFingerprint: acceptance.call.jsonFingerprint,
        applicationId: application.id,
        companyId: application.companyId,
        reply: buildReply(application),
        createdAt: now,
        expiresAt: now + IDEMPOTENCY_TTL_MS,
      },
      resume:
        application.resumeUrl === null
          ? null
          : {
              applicationId: application.id,
              keyId: application.keyId,
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
