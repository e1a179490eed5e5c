import type { KeyId } from '../domain/ids.js';
import type { PartnerKey } from '../domain/partner-key.js';
import { OperatorError } from '../errors.js';
import type { Scope } from './scope.js';

/** The key. @throws OperatorError `KEY_NOT_FOUND`. */
export async function findKey({ tx }: Scope, id: KeyId): Promise<PartnerKey> {
  return found(await tx.keys.find(id), id);
}

/**
 * The key, locked: commands about its secrets and its endpoint take turns, so that a rotation cannot undo a
 * revocation.
 *
 * @throws OperatorError `KEY_NOT_FOUND`.
 */
export async function lockKey({ tx }: Scope, id: KeyId): Promise<PartnerKey> {
  return found(await tx.keys.findForUpdate(id), id);
}

function found(key: PartnerKey | null, id: KeyId): PartnerKey {
  if (key === null) {
    throw new OperatorError('KEY_NOT_FOUND', `There is no key ${id}. keys.list names those there are.`);
  }
  return key;
}
