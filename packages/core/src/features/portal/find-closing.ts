import type { JobId, KeyId } from '../../domain/ids.js';
import type { DeliveryCommands } from '../../groups/deliveries/delivery-commands.js';
import type { Repositories } from '../../ports/storage.js';
import type { JobClosing } from './own-rows.js';

/** Looking at one page of events is enough: a job that closed long before is not submitted to anymore. */
const LAST_EVENTS = 20;

/** Returns the last `job.closed` of a job among the last ones of the key, or null. */
export async function findClosing(
  read: Pick<Repositories, 'events'>,
  deliveries: Pick<DeliveryCommands, 'list'>,
  keyId: KeyId,
  jobId: JobId,
): Promise<JobClosing | null> {
  const { items } = await deliveries.list({ keyId, type: 'job.closed', limit: LAST_EVENTS });
  const ids = items.map(({ eventId }) => eventId);
  const events = ids.length === 0 ? [] : await read.events.find(keyId, ids);
  const index = events.findIndex((event) => event !== null && JSON.parse(event.body).data.jobId === jobId);
  const event = events[index];
  const delivery = items[index];
  if (event == null || delivery === undefined) return null;
  return { eventId: event.id, state: delivery.state, closedAt: event.at };
}
