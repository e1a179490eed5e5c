import { type ApplicationRecord, isTerminal } from '../../domain/application.js';
import type { Repositories } from '../../ports/storage.js';
import type { AddedDetails } from '../application-details.js';
import { type ErasureItem, erasureItemOf, untoldNotice } from './rules.js';

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
