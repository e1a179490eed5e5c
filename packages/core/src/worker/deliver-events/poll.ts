import { type Batcher, type BatcherOptions, createBatcher } from '../../batcher.js';
import type { EndpointRepository, PollRequest, PollResult } from '../../ports/repositories/endpoints.js';
import type { StorageClock } from '../../storage-clock.js';

/** Looks for more to send, for many lanes at once. */
export type Poll = Batcher<PollRequest, PollResult>;

/**
 * Builds the group: as many statements for one lane as for all that look at the same time. Deliveries are due on the
 * storage's time. Each lane looks once a poll at least, so a worker that sends has a young reading of it.
 */
export function createPoll(
  endpoints: Pick<EndpointRepository, 'poll'>,
  storageClock: Pick<StorageClock, 'sync'>,
  options: Partial<BatcherOptions>,
): Poll {
  return createBatcher(async (asked) => endpoints.poll(asked, await storageClock.sync()), options);
}
