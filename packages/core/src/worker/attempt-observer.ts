import type { AttemptOutcome } from '../domain/delivery.js';
import type { Endpoint } from '../domain/endpoint.js';
import type { PartnerEvent } from '../domain/event.js';

/** Watches attempts. */
export interface AttemptObserver {
  /** An attempt begins. */
  begin(endpoint: Endpoint, event: PartnerEvent): ObservedAttempt;
}

/** One attempt that is watched, from its beginning to its end. */
export interface ObservedAttempt {
  /** Makes the attempt, so that whatever it calls belongs to it. */
  run<Result>(post: () => Result): Result;
  /** It ended. */
  end(outcome: AttemptOutcome): void;
  /** The transport failed, which it must not. */
  broke(): void;
}

const UNWATCHED: ObservedAttempt = { run: (post) => post(), end: () => {}, broke: () => {} };

/** Watches nothing. */
export const UNOBSERVED_ATTEMPTS: AttemptObserver = { begin: () => UNWATCHED };
