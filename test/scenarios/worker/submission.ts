import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import type { ResumeState } from '../../../packages/core/src/domain/application.js';
import { IDEMPOTENCY_TTL_MS } from '../../../packages/core/src/domain/idempotency.js';
import type { ApplicationId, KeyId } from '../../../packages/core/src/domain/ids.js';
import { SAMPLE_JOB } from '../../support/sample-job.js';
import type { Stage } from './stage.js';

let submitted = 0;

/** Adds the rows of an accepted submission with a résumé. */
export async function submitWithResume(
  { storage, clock, key }: Stage,
  url = 'https://cv.example/ada.pdf',
  idempotencyKey: string = randomUUID(),
  ofKey?: KeyId,
): Promise<ApplicationId> {
  submitted += 1;
  const [companyId, jobId] = [`co_${submitted}`, `job_${submitted}`] as const;
  const [id, now] = [`ej_app_${submitted}` as const, clock.now()];
  const { direct } = storage;
  const keyId = ofKey ?? (await key());
  await direct.companies.addMissing([
    { id: companyId, name: 'Initech', environment: 'production', createdAt: now },
  ]);
  await direct.jobs.save([{ ...SAMPLE_JOB, id: jobId, companyId, createdAt: now, updatedAt: now }]);
  await storage.transaction(async (tx) => {
    const [stamp] = await tx.feed.take([{ keyId, count: 1 }], now);
    const at = stamp?.first ?? now;
    await tx.submissions.add([
      {
        application: {
          id,
          keyId,
          jobId,
          companyId,
          sourceApplicationId: null,
          status: 'received',
          stage: 'initial_outreach',
          submittedAt: at,
          lastStatusChangeAt: at,
          changedAt: at,
          candidate: {
            firstName: 'Ada',
            lastName: 'Lovelace',
            email: 'ada@example.org',
            phone: '+14155550123',
          },
          erasedAt: null,
          source: null,
          answers: {},
          resumeUrl: url,
          resume: { kind: 'pending', attempts: 0 },
        },
        idempotency: {
          keyId,
          idempotencyKey,
          fingerprint: '',
          jsonFingerprint: '',
          applicationId: id,
          companyId,
          reply: { status: 201, body: '{}' },
          createdAt: at,
          expiresAt: at + IDEMPOTENCY_TTL_MS,
        },
        resume: { applicationId: id, keyId, url, attempts: 0, dueAt: now },
      },
    ]);
  });
  return id;
}

/** Returns the state of the résumé, and checks that the submission stands. */
export async function resumeOf({ storage }: Stage, id: ApplicationId): Promise<ResumeState | undefined> {
  const [application] = await storage.direct.applications.find([id]);
  expect(application?.status).toBe('received');
  return application?.resume;
}
