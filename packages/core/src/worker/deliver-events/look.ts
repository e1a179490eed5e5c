import { createGroup, type Group, type GroupOptions } from '../../group.js';
import type { EndpointRepository, LookRequest, LookResult } from '../../ports/repositories/endpoints.js';
import type { StorageClock } from '../../storage-clock.js';

/** Looks for more to send, for many lanes at once. */
export type Look = Group<LookRequest, LookResult>;

/**
 * Builds the group: as many statements for one lane as for all that look at the same time. Deliveries are due on the
 * storage's time. Each lane looks once a poll at least, so a worker that sends has a young reading of it.
 */
export function createLook(
  endpoints: Pick<EndpointRepository, 'look'>,
  storageClock: Pick<StorageClock, 'sync'>,
  options: Partial<GroupOptions>,
): Look {
  return createGroup(async (asked) => endpoints.look(asked, await storageClock.sync()), options);
}
