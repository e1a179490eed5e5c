import type { EventId, KeyId } from './ids.js';
import { delayBeforeNext } from './retry-schedule.js';
import type { Instant } from './time.js';

/** Why there is no response. */
export type TransportFailure =
  | 'url_refused'
  | 'address_refused'
  | 'name_not_resolved'
  | 'connection_failed'
  | 'tls_failed'
  | 'proxy_refused'
  | 'timed_out'
  | 'protocol_error';

/** Network errors are values, not exceptions. */
export type AttemptOutcome =
  | {
      readonly kind: 'answered';
      readonly status: number;
      /** The sanitized start of the response, at most 1 KB. */
      readonly excerpt: string;
      /** How long a 429 or 503 asks to wait, in milliseconds: its `Retry-After`, at most an hour. */
      readonly retryAfterMs?: number | undefined;
      /** Why the answer is not HTTP to the letter, such as `Invalid header token`. Only its status was read. */
      readonly oddAnswer?: string | undefined;
    }
  | { readonly kind: 'failed'; readonly failure: TransportFailure; readonly message: string };

/** Why an attempt failed: the status of the answer, or the error. */
export type EndpointFailure =
  | { readonly kind: 'answered'; readonly status: number }
  | { readonly kind: 'failed'; readonly failure: TransportFailure };

/** Returns why an attempt failed. Null if it succeeded. */
export function failureOf(outcome: AttemptOutcome): EndpointFailure | null {
  if (outcome.kind === 'failed') return { kind: 'failed', failure: outcome.failure };
  return isSuccess(outcome) ? null : { kind: 'answered', status: outcome.status };
}

/** The end of an attempt. */
export interface AttemptEnd {
  readonly outcome: AttemptOutcome;
  /**
   * The end of the attempt by the storage's clock. Retries and the 24 hours until an automatic pause count
   * from this time.
   */
  readonly endedAt: Instant;
  readonly latencyMs: number;
}

/**
 * A recorded attempt. The storage keeps the last ten attempts of a delivery. It does not record a delivery
 * that succeeds at the first attempt.
 */
export interface AttemptRecord extends AttemptEnd {
  readonly keyId: KeyId;
  readonly eventId: EventId;
  /**
   * The number of the attempt in its cycle, from 1 to 10. The next cycle overwrites the records of this one.
   */
  readonly number: number;
  readonly cycle: number;
}

/** `pending`; `delivered`; `dead`, all ten attempts failed; or `cancelled`, by the host. */
export type DeliveryState = 'pending' | 'delivered' | 'dead' | 'cancelled';

/**
 * A delivery of an event. The storage has a row only for events that failed or that later events overtook.
 * The feed's watermark represents all other events.
 */
export interface StoredDelivery {
  readonly keyId: KeyId;
  readonly eventId: EventId;
  readonly eventAt: Instant;
  readonly state: DeliveryState;
  readonly attempts: number;
  readonly cycle: number;
  readonly dueAt: Instant | null;
  /** Since when the delivery is on its way: the time of the event, or of the last resend. */
  readonly pendingSince: Instant;
  readonly lastAttemptAt: Instant | null;
  readonly lastOutcome: AttemptOutcome | null;
  readonly lastLatencyMs: number | null;
}

/** Contract: 12.2. */
export function isSuccess(outcome: AttemptOutcome): boolean {
  return outcome.kind === 'answered' && outcome.status >= 200 && outcome.status <= 299;
}

/** Contract: 12.10. */
export function isGone(outcome: AttemptOutcome): boolean {
  return outcome.kind === 'answered' && outcome.status === 410;
}

/** Creates a pending delivery. */
export function newDelivery(
  event: { keyId: KeyId; id: EventId; at: Instant },
  dueAt: Instant,
): StoredDelivery {
  return {
    keyId: event.keyId,
    eventId: event.id,
    eventAt: event.at,
    state: 'pending',
    attempts: 0,
    cycle: 1,
    dueAt,
    pendingSince: event.at,
    lastAttemptAt: null,
    lastOutcome: null,
    lastLatencyMs: null,
  };
}

/**
 * Returns the delivery after an attempt. A cancelled delivery stays cancelled unless the attempt succeeded.
 * `random` is in [0, 1).
 */
export function afterAttempt(delivery: StoredDelivery, end: AttemptEnd, random: number): StoredDelivery {
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

/** Starts a new cycle of ten attempts. */
export function restart(delivery: StoredDelivery, now: Instant): StoredDelivery {
  return {
    ...delivery,
    state: 'pending',
    attempts: 0,
    cycle: delivery.cycle + 1,
    dueAt: now,
    pendingSince: now,
  };
}

/** Cancels a pending or dead delivery. */
export function cancel(delivery: StoredDelivery): StoredDelivery {
  return { ...delivery, state: 'cancelled', dueAt: null };
}

/**
 * Returns the delivery of an event that has no row. It is delivered if the watermark has passed the event,
 * and pending otherwise.
 */
export function deliveryWithoutRow(
  event: { keyId: KeyId; id: EventId; at: Instant },
  isPassed: boolean,
): StoredDelivery {
  const pending = newDelivery(event, event.at);
  return isPassed ? { ...pending, state: 'delivered', attempts: 1, dueAt: null } : pending;
}

/** Returns whether the delivery holds a part of a response. The part may quote the candidate. */
export function hasExcerpt({ lastOutcome }: Pick<StoredDelivery, 'lastOutcome'>): boolean {
  return lastOutcome?.kind === 'answered' && lastOutcome.excerpt !== '';
}

/** Returns the delivery without the part of the response. */
export function withoutExcerpt(delivery: StoredDelivery): StoredDelivery {
  const { lastOutcome } = delivery;
  if (lastOutcome?.kind !== 'answered') return delivery;
  return { ...delivery, lastOutcome: { ...lastOutcome, excerpt: '' } };
}

/** Returns null before the first attempt of a cycle has ended. */
export function lastAttempt(delivery: StoredDelivery): AttemptRecord | null {
  const { keyId, eventId, attempts, cycle, lastAttemptAt, lastOutcome, lastLatencyMs } = delivery;
  if (attempts === 0 || lastAttemptAt === null || lastOutcome === null) return null;
  return {
    keyId,
    eventId,
    number: attempts,
    cycle,
    outcome: lastOutcome,
    endedAt: lastAttemptAt,
    latencyMs: lastLatencyMs ?? 0,
  };
}

/** Returns null for a usual success on the first attempt: recording it would cost a write. */
export function attemptToKeep(delivery: StoredDelivery): AttemptRecord | null {
  const last = lastAttempt(delivery);
  if (last === null || last.number > 1 || !isSuccess(last.outcome)) return last;
  return last.outcome.kind === 'answered' && last.outcome.oddAnswer !== undefined ? last : null;
}
