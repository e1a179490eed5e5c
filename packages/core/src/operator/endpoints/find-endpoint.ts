import type { Endpoint } from '../../domain/endpoint.js';
import type { KeyId } from '../../domain/ids.js';
import { OperatorError } from '../../errors.js';
import type { Repositories } from '../../ports/storage.js';
import { lockKey } from '../keys/find-key.js';
import type { Scope } from '../scope.js';

/** The endpoint of a key. @throws OperatorError `ENDPOINT_NOT_FOUND`. */
export async function findEndpoint(
  { endpoints }: Pick<Repositories, 'endpoints'>,
  keyId: KeyId,
): Promise<Endpoint> {
  return found(await endpoints.find(keyId), keyId);
}

/**
 * The endpoint, locked: a worker that settles waits, and neither overwrites the other.
 *
 * @throws OperatorError `KEY_NOT_FOUND` or `ENDPOINT_NOT_FOUND`.
 */
export async function lockEndpoint(scope: Scope, keyId: KeyId): Promise<Endpoint> {
  await lockKey(scope, keyId);
  return found(await scope.tx.endpoints.findForUpdate(keyId), keyId);
}

function found(endpoint: Endpoint | null, keyId: KeyId): Endpoint {
  if (endpoint !== null) return endpoint;
  const message = `${keyId} has no endpoint. Use endpoints.setUrl to give it one.`;
  throw new OperatorError('ENDPOINT_NOT_FOUND', message);
}
