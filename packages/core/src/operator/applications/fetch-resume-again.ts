import type { ApplicationRecord } from '../../domain/application.js';
import type { ApplicationId } from '../../domain/ids.js';
import { OperatorError } from '../../errors.js';
import type { ApplicationOutcome } from '../applications.js';
import type { Scope } from '../scope.js';
import { lockApplication } from './find-application.js';

/** Has a résumé that could not be fetched tried again. Throws what `ApplicationCommands` says. */
export async function fetchResumeAgain(scope: Scope, id: ApplicationId): Promise<ApplicationOutcome> {
  const { tx } = scope;
  const application = await lockApplication(scope, id);
  const { keyId, resume, resumeUrl } = application;
  if (resume.kind === 'pending') return { application, changed: false };
  if (resume.kind !== 'failed' || resumeUrl === null) {
    throw new OperatorError('ILLEGAL_MOVE', `${whatThereIs(application)} ${WHAT_IS_FETCHED_AGAIN}`);
  }
  const again = { kind: 'pending', attempts: 0 } as const;
  const dueAt = await scope.now();
  await tx.resumeFiles.add({ applicationId: id, keyId, url: resumeUrl, attempts: 0, dueAt });
  await tx.applications.saveResume(id, again);
  scope.workIsDue();
  return { application: { ...application, resume: again }, changed: true };
}

const WHAT_IS_FETCHED_AGAIN =
  'applications.fetchResumeAgain is for a résumé that could not be fetched, as long as its URL is stored.';

function whatThereIs({ id, resume }: ApplicationRecord): string {
  if (resume.kind === 'none') return `The application ${id} came without a résumé.`;
  if (resume.kind === 'fetched') return `The résumé of ${id} is fetched already.`;
  return `The URL of the résumé of ${id} is not stored any more.`;
}
