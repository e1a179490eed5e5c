import type { ApplicationRecord } from '../../domain/application.js';
import { type ErasureItem, erasureItemOf } from '../../domain/inbox.js';
import type { Repositories } from '../../ports/storage.js';

/** Returns the inbox items that tell the host of erasures, in the order of the applications. Null without one. */
export async function findErasureItems(
  { inbox }: Pick<Repositories, 'inbox'>,
  applications: readonly Pick<ApplicationRecord, 'id' | 'keyId'>[],
): Promise<readonly (ErasureItem | null)[]> {
  const of = applications.map(({ id, keyId }) => ({ applicationId: id, keyId }));
  const states = await inbox.findErasures(of);
  return applications.map(({ id }, index) => erasureItemOf(id, states[index] ?? null));
}
