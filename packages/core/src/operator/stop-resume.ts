import type { ApplicationId } from '../domain/ids.js';
import { lockApplication } from './find-or-throw.js';
import type { ApplicationOutcome } from './move-applications.js';
import type { Scope } from './scope.js';
import { recordAct } from './scope.js';

/**
 * Stops a download that waits. Cancels it before it locks the application: a worker that records a result locks in the
 * same order, so the two cannot deadlock.
 */
export async function stopResume(scope: Scope, id: ApplicationId): Promise<ApplicationOutcome> {
  const { tx } = scope;
  await tx.candidates.cancelResumeFiles([id]);
  const application = await lockApplication(scope, id);
  const { keyId, resume } = application;
  if (resume.kind !== 'pending') return { application, changed: false };
  const at = await scope.now();
  const stopped = { kind: 'failed', reason: 'stopped', failedAt: at } as const;
  await tx.applications.saveResume(id, stopped);
  const before = { resume: resume.kind };
  const after = { resume: stopped.kind };
  recordAct(scope, { objects: [{ kind: 'application', id }], keyId, before, after });
  // The stamp is taken last: it locks the feed head until the commit.
  const isTold = await tx.inbox.isOn();
  const stamps = isTold ? await tx.feed.take([{ keyId, count: 1, withoutEvents: true }], at) : [];
  await tx.inbox.add(
    stamps.map(({ first }) => ({ applicationId: id, keyId, at: first, kind: 'resume.failed' })),
  );
  scope.workIsDue();
  return { application: { ...application, resume: stopped }, changed: true };
}
