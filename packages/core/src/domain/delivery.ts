import type { EventId, KeyId } from './ids.js';
import { delayBeforeNext } from './retry-schedule.js';
import type { Instant } from './time.js';

/** Why an attempt got no answer. */
export type TransportFailure =
  /** The URL may not be called: not https, credentials in it, not parsable. */
  | 'url_refused'
  /** The name leads to an address that is not public. */
  | 'address_refused'
  | 'name_not_resolved'
  | 'connection_failed'
  | 'tls_failed'
  | 'timed_out'
  /** The answer was not HTTP, or broke off before its status line. */
  | 'protocol_error';

/** What an attempt met. The network does not throw: every way it can end is a value. */
export type AttemptOutcome =
  | {
      readonly kind: 'answered';
      readonly status: number;
      /** The start of the answer, cleaned, for the operator; never more than a kilobyte. */
      readonly excerpt: string;
    }
  | { readonly kind: 'failed'; readonly failure: TransportFailure; readonly message: string };

/** Where an event's way to an endpoint stands. */
export type DeliveryState = 'pending' | 'delivered' | 'dead' | 'cancelled';

/**
 * An event for an endpoint that needs a row of its own: it failed, or hung while later ones were done.
 * Events that went well are only a watermark over the log.
 */
export interface Delivery {
  readonly keyId: KeyId;
  readonly eventId: EventId;
  /** The event's place in the key's log. */
  readonly eventAt: Instant;
  readonly state: DeliveryState;
  /** Attempts made in this cycle of ten. */
  readonly attempts: number;
  /** Which cycle of ten: 1, and one more for each redelivery of a dead letter. */
  readonly cycle: number;
  /** When the next attempt is due; null once nothing more is to be done. */
  readonly dueAt: Instant | null;
  readonly lastAttemptAt: Instant | null;
  /** What the last attempt met; null before the first has ended. */
  readonly lastOutcome: AttemptOutcome | null;
}

/** Success is any 2xx status, whatever the body. Spec: Delivery, retries, pausing. */
export function isSuccess(outcome: AttemptOutcome): boolean {
  return outcome.kind === 'answered' && outcome.status >= 200 && outcome.status <= 299;
}

/** Whether the endpoint said that it is gone for good. Spec: HTTP 410 from endpoint. */
export function isGone(outcome: AttemptOutcome): boolean {
  return outcome.kind === 'answered' && outcome.status === 410;
}

/** A delivery before its first attempt. */
export function newDelivery(event: { keyId: KeyId; id: EventId; at: Instant }, dueAt: Instant): Delivery {
  return {
    keyId: event.keyId,
    eventId: event.id,
    eventAt: event.at,
    state: 'pending',
    attempts: 0,
    cycle: 1,
    dueAt,
    lastAttemptAt: null,
    lastOutcome: null,
  };
}

/**
 * The delivery after an attempt that ended at `endedAt`: delivered, due again by the schedule, or a dead
 * letter after the tenth.
 */
export function afterAttempt(
  delivery: Delivery,
  outcome: AttemptOutcome,
  endedAt: Instant,
  random: number,
): Delivery {
  const attempts = delivery.attempts + 1;
  const made = { ...delivery, attempts, lastAttemptAt: endedAt, lastOutcome: outcome };
  if (isSuccess(outcome)) return { ...made, state: 'delivered', dueAt: null };
  const delay = delayBeforeNext(attempts, random);
  if (delay === null) return { ...made, state: 'dead', dueAt: null };
  return { ...made, state: 'pending', dueAt: endedAt + delay };
}

/** A dead letter sent on its way again: a new cycle of ten, the same event. */
export function redeliver(delivery: Delivery, now: Instant): Delivery {
  return { ...delivery, state: 'pending', attempts: 0, cycle: delivery.cycle + 1, dueAt: now };
}
