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

/** How an attempt ended, when, and after how long. */
export interface AttemptEnd {
  readonly outcome: AttemptOutcome;
  /** On the storage's time: the next attempt, and the 24 hours until a pause, are counted from it. */
  readonly endedAt: Instant;
  /** From before it was signed until its outcome was known, the answer's excerpt included. */
  readonly latencyMs: number;
}

/** An attempt of a delivery that did not go well at once. The last ten of each delivery are kept. */
export interface AttemptRecord extends AttemptEnd {
  readonly keyId: KeyId;
  readonly eventId: EventId;
  /** Which attempt of its cycle it was, 1 to 10; the same number of the next cycle takes its place. */
  readonly number: number;
  readonly cycle: number;
}

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
  /** Which cycle of ten: 1, and one more for each redelivery. */
  readonly cycle: number;
  /** When the next attempt is due; null once nothing more is to be done. */
  readonly dueAt: Instant | null;
  readonly lastAttemptAt: Instant | null;
  /** What the last attempt met; null before the first has ended. */
  readonly lastOutcome: AttemptOutcome | null;
  /** How long the last attempt took; null before the first has ended. */
  readonly lastLatencyMs: number | null;
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
    lastLatencyMs: null,
  };
}

/**
 * The delivery after an attempt: delivered, due again by the schedule, or a dead letter after the tenth. One
 * that was cancelled while the attempt was under way is delivered if it went well after all, and stays
 * cancelled otherwise; the attempt counts either way.
 */
export function afterAttempt(delivery: Delivery, end: AttemptEnd, random: number): Delivery {
  const { outcome, endedAt, latencyMs } = end;
  const attempts = delivery.attempts + 1;
  const made = {
    ...delivery,
    attempts,
    lastAttemptAt: endedAt,
    lastOutcome: outcome,
    lastLatencyMs: latencyMs,
  };
  if (isSuccess(outcome)) return { ...made, state: 'delivered', dueAt: null };
  if (delivery.state === 'cancelled') return made;
  const delay = delayBeforeNext(attempts, random);
  if (delay === null) return { ...made, state: 'dead', dueAt: null };
  return { ...made, state: 'pending', dueAt: endedAt + delay };
}

/** Sends one that is no longer pending on its way again: a new cycle of ten, the same event. */
export function redeliver(delivery: Delivery, now: Instant): Delivery {
  return { ...delivery, state: 'pending', attempts: 0, cycle: delivery.cycle + 1, dueAt: now };
}

/** Gives a pending delivery up. */
export function cancel(delivery: Delivery): Delivery {
  return { ...delivery, state: 'cancelled', dueAt: null };
}

/**
 * The delivery of an event that has no row: delivered at its first attempt if the watermark has passed it,
 * else pending since it was recorded.
 */
export function deliveryWithoutRow(
  event: { keyId: KeyId; id: EventId; at: Instant },
  isPassed: boolean,
): Delivery {
  const pending = newDelivery(event, event.at);
  return isPassed ? { ...pending, state: 'delivered', attempts: 1, dueAt: null } : pending;
}

/** The attempt that a delivery tells of last; null before the first has ended, or ever since a redelivery. */
export function lastAttempt(delivery: Delivery): AttemptRecord | null {
  const { keyId, eventId, attempts, cycle, lastAttemptAt, lastOutcome, lastLatencyMs } = delivery;
  if (attempts === 0 || lastAttemptAt === null || lastOutcome === null) return null;
  return {
    ...{ keyId, eventId, number: attempts, cycle },
    ...{ outcome: lastOutcome, endedAt: lastAttemptAt, latencyMs: lastLatencyMs ?? 0 },
  };
}

/**
 * The attempt to keep of a delivery that is saved; null if there is none, or if it went well as the first of
 * its cycle: what goes well must cost nothing more, and the delivery itself tells of it.
 */
export function attemptToKeep(delivery: Delivery): AttemptRecord | null {
  const last = lastAttempt(delivery);
  return last !== null && last.number === 1 && isSuccess(last.outcome) ? null : last;
}
