import type { Delivery, DeliveryState } from '../domain/delivery.js';
import type { Repositories } from '../ports/repositories.js';
import type { DeliveryCommands, DeliveryFilter, DeliveryTarget } from './deliveries.js';
import { checkedLimit } from './inspection.js';
import { redeliverAll, redeliverOne } from './redeliver.js';
import type { Runner } from './scope.js';

/** Builds the commands about deliveries. */
export function deliveryCommands({ run, read }: Runner): DeliveryCommands {
  return {
    listDead: async (filter) => listDeliveries(read, 'deliveries.listDead', { ...filter, state: 'dead' }),
    list: async (filter) => listDeliveries(read, 'deliveries.list', filter),
    find: (target) => findDelivery(read, target),
    redeliver: (target) => run((scope) => redeliverOne(scope, target)),
    redeliverAll: ({ keyId }) => run((scope) => redeliverAll(scope, keyId)),
  };
}

function listDeliveries(
  read: Repositories,
  command: string,
  { keyId, state, limit }: DeliveryFilter & { readonly state: DeliveryState },
): Promise<readonly Delivery[]> {
  return read.deliveries.list({ keyId: keyId ?? null, state, limit: checkedLimit(command, limit) });
}

async function findDelivery(read: Repositories, { keyId, eventId }: DeliveryTarget) {
  const [delivery] = await read.deliveries.find(keyId, [eventId]);
  const [event] = await read.events.find(keyId, [eventId]);
  return delivery && event ? { delivery, event } : null;
}
