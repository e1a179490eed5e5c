import { isIdOf, type KeyId } from '../../domain/ids.js';
import type { PartnerKey } from '../../domain/partner-key.js';
import { OperatorError } from '../../errors.js';
import type { Scope } from '../scope.js';

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
    // What is no id may be the key's secret: who is asked to revoke a key has that at hand.
    const named = isIdOf('key', String(id)) ? `There is no key ${id}.` : 'That is no id of a key.';
    throw new OperatorError('KEY_NOT_FOUND', `${named} keys.list names those there are.`);
  }
  return key;
}
