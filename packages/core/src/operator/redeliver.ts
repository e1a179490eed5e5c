import { redeliver } from '../domain/delivery.js';
import type { KeyId } from '../domain/ids.js';
import { OperatorError } from '../errors.js';
import { lockEndpoint } from './change-endpoint.js';
import type { DeliveryOutcome, DeliveryTarget } from './deliveries.js';
import { LIST_LIMIT } from './inspection.js';
import type { Scope } from './scope.js';

/** Sends one dead letter on its way again. Throws what `DeliveryCommands` says. */
export async function redeliverOne(scope: Scope, target: DeliveryTarget): Promise<DeliveryOutcome> {
  const { keyId, eventId } = target;
  await lockEndpoint(scope, keyId);
  const [delivery] = await scope.tx.deliveries.find(keyId, [eventId]);
  if (!delivery) {
    const message = `${keyId} has no delivery of ${eventId} to repeat. deliveries.listDead names those it has.`;
    throw new OperatorError('DELIVERY_NOT_FOUND', message);
  }
  if (delivery.state === 'pending') return { delivery, changed: false };
  if (delivery.state !== 'dead') {
    const message = `The delivery of ${eventId} is ${delivery.state}. Only dead letters are redelivered.`;
    throw new OperatorError('ILLEGAL_MOVE', message);
  }
  const again = redeliver(delivery, scope.runtime.clock.now());
  await scope.tx.deliveries.save([again]);
  scope.workIsDue();
  return { delivery: again, changed: true };
}

/** Sends all dead letters of a key on their way again. Throws what `DeliveryCommands` says. */
export async function redeliverAll(scope: Scope, keyId: KeyId): Promise<{ readonly redelivered: number }> {
  await lockEndpoint(scope, keyId);
  let redelivered = 0;
  for (;;) {
    const dead = await scope.tx.deliveries.list({ keyId, state: 'dead', limit: LIST_LIMIT.max });
    if (dead.length === 0) break;
    await scope.tx.deliveries.save(dead.map((delivery) => redeliver(delivery, scope.runtime.clock.now())));
    redelivered += dead.length;
  }
  if (redelivered > 0) scope.workIsDue();
  return { redelivered };
}
