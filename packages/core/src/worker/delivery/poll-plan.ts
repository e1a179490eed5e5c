import { type Batcher, type BatcherOptions, createBatcher } from '../../batcher.js';
import type { Instant } from '../../domain/time.js';
import type { EndpointRepository, PollRequest, PollResult } from '../../ports/repositories/endpoints.js';
import type { StorageClock } from '../../storage-clock.js';
import { isReached } from '../is-reached.js';

export type Poll = Batcher<PollRequest, PollResult>;

/** Creates a batcher for polls. The storage's clock decides which deliveries are due. */
export function createPoll(
  endpoints: Pick<EndpointRepository, 'poll'>,
  storageClock: Pick<StorageClock, 'sync'>,
  options: Partial<BatcherOptions>,
): Poll {
  return createBatcher(async (requests) => endpoints.poll(requests, await storageClock.sync()), options);
}

export interface PollPlan {
  at(): Instant;
  isDue(now: Instant): boolean;
  isWoken(): boolean;
  wake(now: Instant, isOnlyEvents: boolean): void;
  begin(now: Instant): boolean;
  /**
   * Plans the next poll. After a full poll, it is due immediately. Otherwise the interval starts when the
   * poll ends, however slow it was.
   */
  ended(now: Instant, isFull: boolean): void;
}

/** The shortest time between two polls, so that many commits cause one poll. */
const WAKE_DEBOUNCE_MS = 5;

export function createPollPlan(startedAt: Instant, pollEveryMs: number): PollPlan {
  let at = startedAt;
  /** The next poll for due deliveries. A wake for new events alone does not change it. */
  let dueAt = startedAt;
  let polledAt = -Infinity;
  let isWoken = false;
  let isForDue = false;
  return {
    at: () => at,
    isDue: (now) => isReached(now, at, pollEveryMs),
    isWoken: () => isWoken,
    wake(now, isOnlyEvents) {
      isWoken = true;
      at = Math.min(at, Math.max(now, polledAt + WAKE_DEBOUNCE_MS));
      if (!isOnlyEvents) dueAt = Math.min(dueAt, now);
    },
    begin(now) {
      isWoken = false;
      polledAt = now;
      isForDue = isReached(now, dueAt, pollEveryMs);
      if (isForDue) dueAt = now + pollEveryMs;
      at = dueAt;
      return isForDue;
    },
    ended(now, isFull) {
      if (isFull) dueAt = now;
      else if (isForDue && !isWoken) dueAt = now + pollEveryMs;
      else return;
      at = dueAt;
    },
  };
}
