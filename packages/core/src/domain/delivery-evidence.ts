import { isSuccess, lastAttempt, type StoredDelivery } from './delivery.js';
import type { KeyId } from './ids.js';
import type { Instant } from './time.js';

/** A recorded success of a delivery. It contains no part of the response. */
export interface DeliveryEvidence {
  /** When the attempt ended, by the storage's clock. */
  readonly deliveredAt: Instant;
  /** The HTTP status, from 200 to 299. */
  readonly status: number;
  /** How long the attempt took, in milliseconds. */
  readonly latencyMs: number;
  /** The number of the attempt in its cycle, from 1 to 10. */
  readonly attempts: number;
  /** 1, plus the number of resends before this success. */
  readonly cycle: number;
}

/** The success of one event. */
export interface EventSuccess extends DeliveryEvidence {
  readonly eventAt: Instant;
}

/** Successes of one key that are appended together, as one row. Each event occurs once. */
export interface EvidenceBatch {
  readonly keyId: KeyId;
  /**
   * `first_attempts`: the events of one settlement that never needed a delivery row. These batches of a key cover
   * ranges of its log that do not overlap. `replaced`: the success of one delivery row, before a resend overwrites
   * it.
   */
  readonly kind: 'first_attempts' | 'replaced';
  readonly successes: readonly EventSuccess[];
}

/** Returns the success that the delivery's row shows, or null. */
export function successOf(delivery: StoredDelivery): EventSuccess | null {
  const last = delivery.state === 'delivered' ? lastAttempt(delivery) : null;
  if (last === null || last.outcome.kind !== 'answered' || !isSuccess(last.outcome)) return null;
  const { outcome, endedAt, latencyMs, number, cycle } = last;
  const { eventAt } = delivery;
  return { eventAt, deliveredAt: endedAt, status: outcome.status, latencyMs, attempts: number, cycle };
}

/** Returns the evidence that resending these deliveries would overwrite. */
export function evidenceToKeep(deliveries: readonly StoredDelivery[]): readonly EvidenceBatch[] {
  return deliveries.flatMap((delivery): readonly EvidenceBatch[] => {
    const success = successOf(delivery);
    return success === null ? [] : [{ keyId: delivery.keyId, kind: 'replaced', successes: [success] }];
  });
}

/**
 * Combines the stored successes of an event with the one that its delivery shows, oldest first. Of two with the same
 * cycle, returns one: they are the same success, which a resend may have stored between the two reads.
 */
export function allSuccesses(
  delivery: StoredDelivery,
  stored: readonly EventSuccess[],
): readonly DeliveryEvidence[] {
  const shown = successOf(delivery);
  const others = mayHaveStored(delivery) ? stored.filter(({ cycle }) => cycle !== shown?.cycle) : [];
  return [...others, ...(shown === null ? [] : [shown])]
    .sort((a, b) => a.cycle - b.cycle)
    .map(({ deliveredAt, status, latencyMs, attempts, cycle }) => {
      return { deliveredAt, status, latencyMs, attempts, cycle };
    });
}

/** Returns whether successes may be stored. In its first cycle, a delivery with a row has no stored success. */
export function mayHaveStored({ state, cycle, lastOutcome }: StoredDelivery): boolean {
  return cycle > 1 || (state === 'delivered' && lastOutcome === null);
}
