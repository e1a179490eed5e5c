import type { ApplicationRecord } from '../domain/application.js';
import type { ApplicationId } from '../domain/ids.js';
import { OperatorError } from '../errors.js';
import { lockApplication } from './find-or-throw.js';
import type { ApplicationOutcome } from './move-applications.js';
import type { Scope } from './scope.js';
import { recordAct } from './scope.js';

/** Queues a failed download of a résumé again. */
export async function fetchResumeAgain(scope: Scope, id: ApplicationId): Promise<ApplicationOutcome> {
  const { tx } = scope;
  const application = await lockApplication(scope, id);
  const { keyId, resume, resumeUrl } = application;
  if (resume.kind === 'pending') return { application, changed: false };
  if (resume.kind !== 'failed' || resumeUrl === null) {
    const message = `${whyNotFetchable(application)} Only a failed download can be fetched again.`;
    throw new OperatorError('ILLEGAL_MOVE', message);
  }
  const again = { kind: 'pending', attempts: 0 } as const;
  const dueAt = await scope.now();
  await tx.resumeFiles.add({ applicationId: id, keyId, url: resumeUrl, attempts: 0, dueAt });
  await tx.applications.saveResume(id, again);
  const before = { resume: resume.kind };
  const after = { resume: again.kind };
  recordAct(scope, { objects: [{ kind: 'application', id }], keyId, before, after });
  scope.workIsDue();
  return { application: { ...application, resume: again }, changed: true };
}

function whyNotFetchable({ id, resume, erasedAt }: ApplicationRecord): string {
  if (erasedAt !== null) return `The candidate of application ${id} was erased.`;
  if (resume.kind === 'none') return `Application ${id} has no résumé.`;
  if (resume.kind === 'fetched') return `The résumé of application ${id} was already fetched.`;
  return `The URL of the résumé of application ${id} is no longer stored.`;
}
