import type { DeliveryCommands } from '../deliveries.js';
import { checkedLimit } from '../input/inspection.js';
import type { Runner } from '../scope.js';
import { cancelOne } from './cancel-delivery.js';
import { countDeliveries } from './count-deliveries.js';
import { findDelivery } from './find-delivery.js';
import { listAttempts } from './list-attempts.js';
import { listDeliveries } from './list-deliveries.js';
import { redeliverAll, redeliverMany, redeliverOne, redeliverSince } from './redeliver.js';

/** Builds the commands about deliveries. */
export function deliveryCommands(runner: Runner): DeliveryCommands {
  const { run, read } = runner;
  return {
    listDead: async ({ keyId, limit } = {}) => {
      const asked = checkedLimit('deliveries.listDead', limit);
      return read.deliveries.list({ keyId: keyId ?? null, state: 'dead', limit: asked });
    },
    list: (filter) => listDeliveries(read, filter),
    listAttempts: (filter) => listAttempts(read, filter),
    find: (target) => findDelivery(read, target),
    counts: ({ keyId } = {}) => countDeliveries(runner, keyId ?? null),
    redeliver: (target) => run((scope) => redeliverOne(scope, target)),
    redeliverMany: ({ keyId, eventIds }) => run((scope) => redeliverMany(scope, keyId, eventIds)),
    redeliverSince: (window) => redeliverSince(runner, window),
    redeliverAll: ({ keyId }) => redeliverAll(runner, keyId),
    cancel: (target) => run((scope) => cancelOne(scope, target)),
  };
}
