import type { ApplicationId, KeyId } from '../../domain/ids.js';
import { toStorableText } from '../../domain/text.js';
import type { Repositories } from '../../ports/storage.js';
import { type OwnApplication, ownApplication } from './own-rows.js';

type Reading = Pick<Repositories, 'applications'>;

/** Finds an application that one of the keys submitted, or null. */
export async function findOwnApplication(
  { applications }: Reading,
  keys: readonly { readonly id: KeyId }[],
  id: string,
): Promise<OwnApplication | null> {
  const storable = toStorableText(id) as ApplicationId;
  const rows = await applications.findOwned(keys.map(({ id: keyId }) => ({ keyId, id: storable })));
  const found = rows.find((row) => row !== null);
  return found == null ? null : ownApplication(found);
}

/** Finds the application of a key by the partner's own id, exactly, or null. */
export async function findBySourceId(
  read: Reading,
  keyId: KeyId,
  given: string,
): Promise<OwnApplication | null> {
  const sourceApplicationId = toStorableText(given);
  const [found = null] = await read.applications.findBySourceIds([{ keyId, sourceApplicationId }]);
  return found === null ? null : findOwnApplication(read, [{ id: keyId }], found.id);
}
