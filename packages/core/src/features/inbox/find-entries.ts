import { type ApplicationRecord, isTerminal } from '../../domain/application.js';
import { endOfResume } from '../../domain/resume.js';
import type { Repositories } from '../../ports/storage.js';
import type { AddedDetails } from '../application-details.js';
import { type ErasureItem, erasureItemOf, type InboxEntryState, untoldNotice } from './rules.js';

/** Finds what became of an application's inbox items. */
export async function findInboxEntries(
  { inbox }: Pick<Repositories, 'inbox'>,
  { id: applicationId, keyId, submittedAt, changedAt, resume, erasedAt }: ApplicationRecord,
): Promise<readonly InboxEntryState[]> {
  const resumeAt = endOfResume(resume);
  const submitted = await inbox.findEntry({ keyId, applicationId, from: submittedAt });
  const ended = resumeAt === null ? null : await inbox.findEntry({ keyId, applicationId, from: resumeAt });
  const changed = await inbox.findEntry({ keyId, applicationId, from: changedAt });
  const found = [
    // If the application has no such entry, `findEntry` returns a later one of another kind.
    submitted !== null && submitted.kind === 'application.submitted' ? submitted : null,
    ended?.kind.startsWith('resume.') ? ended : null,
    changed?.kind === 'application.changed' ? changed : null,
  ];
  const [erasure] = erasedAt === null ? [null] : await inbox.findErasures([{ applicationId, keyId }]);
  const kept = found
    .filter((entry) => entry !== null)
    // Items of erased candidates are dropped.
    .filter(({ receivedAt }) => erasedAt === null || (receivedAt !== null && receivedAt < erasedAt));
  // An erasure is shown once the host has received it or has failed to.
  const told = erasure && (erasure.receivedAt !== null || erasure.failures > 0) ? [erasure] : [];
  return [...kept, ...told];
}

/**
 * Returns the inbox items that tell the host of erasures, in the order of the applications. An application without an
 * item has null.
 */
export async function findErasureItems(
  { inbox }: Pick<Repositories, 'inbox'>,
  applications: readonly Pick<ApplicationRecord, 'id' | 'keyId'>[],
): Promise<readonly (ErasureItem | null)[]> {
  const of = applications.map(({ id, keyId }) => ({ applicationId: id, keyId }));
  const states = await inbox.findErasures(of);
  return applications.map(({ id }, index) => erasureItemOf(id, states[index] ?? null));
}

/** Returns what the inbox adds to an application: its erasure, or that it does not tell the host of changes by staff. */
export async function detailsOf(read: Repositories, application: ApplicationRecord): Promise<AddedDetails> {
  const { status, erasedAt } = application;
  if (erasedAt !== null) {
    const [erasureItem = null] = await findErasureItems(read, [application]);
    return { erasureItem };
  }
  if (isTerminal(status)) return {};
  return { notice: untoldNotice(await read.inbox.isOn(), await read.inbox.changes()) };
}
