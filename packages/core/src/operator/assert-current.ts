import { OperatorError } from '../errors.js';

/**
 * Throws `SECRET_REPLACED` unless the secret that the caller knows is the newest one. Call it under the lock of the key or the
 * endpoint.
 * @param known - undefined if the caller does not mind.
 * @param whose - the subject of the message, such as `The secret of key key_1`.
 */
export function assertCurrent(
  known: string | undefined,
  newest: string | undefined,
  whose: string,
  command: string,
): void {
  if (known === undefined || known === newest) return;
  throw new OperatorError(
    'SECRET_REPLACED',
    `${whose} was replaced by another one already. To replace that one too, pass its \`ifCurrent\`, which ${command} shows. Nothing was changed.`,
  );
}
