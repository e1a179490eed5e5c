import type { KeyId } from '../../domain/ids.js';
import type { KeySecret } from '../../domain/partner-key.js';
import type { Instant } from '../../domain/time.js';
import { OperatorError } from '../../errors.js';
import { viewSecret } from '../../groups/partners/key-secrets.js';
import type { Repositories } from '../../ports/storage.js';

/**
 * Finds a replaced secret that still works, by its last four characters.
 * @throws OperatorError `SECRET_NOT_FOUND` without one, or if no current secret works beside it.
 */
export async function findOldSecret(
  { keys }: Pick<Repositories, 'keys'>,
  keyId: KeyId,
  lastFour: string,
  now: Instant,
): Promise<KeySecret> {
  const secrets = await keys.listSecrets(keyId);
  const inState = (state: string) => secrets.filter((secret) => viewSecret(secret, now).state === state);
  const old = inState('replaced').find((secret) => secret.lastFour === lastFour);
  if (old !== undefined && inState('current').length > 0) return old;
  throw new OperatorError(
    'SECRET_NOT_FOUND',
    `Key ${keyId} has no replaced secret that works and ends in these characters, beside a current one. Nothing was changed.`,
  );
}
