import type { OperatorAlert } from '../../domain/alert.js';
import { type AttemptEnd, afterAttempt, type Delivery, isSuccess } from '../../domain/delivery.js';
import { type Endpoint, endpointAfter } from '../../domain/endpoint.js';
import type { AlertId, EventId } from '../../domain/ids.js';
import type { Instant } from '../../domain/time.js';
import type { LeasedEndpoint } from '../../ports/repositories/endpoints.js';

/** An event that a lane has taken on: where its delivery stands, and whether that has a row yet. */
export interface Undertaking {
  readonly delivery: Delivery;
  /** False for an event beyond the watermark that never needed a row. */
  readonly hasRow: boolean;
}

/** An attempt that ended and is not recorded yet. */
export interface EndedAttempt extends Undertaking, AttemptEnd {
  /** Where it was sent: the endpoint may have another URL by now. */
  readonly url: string;
  /** Uniform in [0, 1): the jitter of the next delay, drawn once, so that recording again records the same. */
  readonly random: number;
}

/** What a lane asks to have recorded. */
export interface SenderReport {
  /** In the order in which they ended. */
  readonly ended: readonly EndedAttempt[];
  /** Taken on and not ended: under way, or waiting. */
  readonly unfinished: readonly Undertaking[];
}

/** What to write. */
export interface SettlementDecision {
  readonly endpoint: Endpoint;
  readonly watermark: Instant;
  readonly deliveries: readonly Delivery[];
  /** What is unfinished and was passed by the watermark: each has a row, most of them among `deliveries`. */
  readonly passed: readonly Delivery[];
  readonly alerts: readonly OperatorAlert[];
}

/**
 * Folds what a lane reports over the endpoint as it stands now.
 *
 * The watermark moves to the last event that ended; what it passes and is not done gets a row. An attempt
 * counts only if its delivery still stands where the attempt found it, or was cancelled there: what was sent
 * was sent. A pause and a dead letter bring one alert each. Spec: Delivery, retries, pausing.
 *
 * @param stored - the rows, as they stand now, of the attempts that have one.
 */
export function decideSettlement(
  leased: LeasedEndpoint,
  stored: ReadonlyMap<EventId, Delivery>,
  { ended, unfinished }: SenderReport,
  nextAlertId: () => AlertId,
): SettlementDecision {
  const deliveries: Delivery[] = [];
  const alerts: OperatorAlert[] = [];
  let { endpoint, watermark } = leased;

  for (const attempt of ended) {
    if (!stillStands(attempt, leased.watermark, stored)) continue;
    if (!attempt.hasRow) watermark = Math.max(watermark, attempt.delivery.eventAt);
    // What goes well at once, which is nearly all, needs no row.
    if (attempt.hasRow || !isSuccess(attempt.outcome)) {
      const delivery = afterAttempt(asItStands(attempt, stored), attempt, attempt.random);
      deliveries.push(delivery);
      if (delivery.state === 'dead') alerts.push(deadAlert(delivery, attempt.endedAt, nextAlertId()));
    }

    if (!concerns(endpoint, attempt)) continue;
    const before = endpoint;
    endpoint = endpointAfter(before, attempt.outcome, attempt.endedAt);
    const paused = pausedAlert(before, endpoint, nextAlertId);
    if (paused !== null) alerts.push(paused);
  }

  const passed = unfinished
    .filter(({ hasRow, delivery }) => !hasRow && delivery.eventAt < watermark)
    .map(({ delivery }) => delivery);
  // What the storage's watermark had passed before has its row, which an operator may have changed since.
  const newRows = passed.filter(({ eventAt }) => eventAt > leased.watermark);
  return { endpoint, watermark, deliveries: [...deliveries, ...newRows], passed, alerts };
}

/** Whether an attempt says something of an endpoint: a failure at the URL that it had before does not. */
export function concerns(
  endpoint: Pick<Endpoint, 'url'>,
  { url, outcome }: Pick<EndedAttempt, 'url' | 'outcome'>,
): boolean {
  return url === endpoint.url || isSuccess(outcome);
}

/**
 * A commit whose outcome was unknown is recorded again, and an operator may have changed a row meanwhile:
 * neither may count an attempt that the storage is past.
 */
function stillStands(
  attempt: EndedAttempt,
  watermark: Instant,
  stored: ReadonlyMap<EventId, Delivery>,
): boolean {
  const { delivery, hasRow } = attempt;
  if (!hasRow) return delivery.eventAt > watermark;
  const row = stored.get(delivery.eventId);
  if (row === undefined || (row.state !== 'pending' && row.state !== 'cancelled')) return false;
  if (row.cycle === delivery.cycle) return row.attempts === delivery.attempts;
  return row.attempts === 0 && beganAfter(row.dueAt, attempt);
}

/** It was cancelled and sent again while it waited in the lane: that was the attempt which the operator asked for. */
function beganAfter(redeliveredAt: Instant | null, { endedAt, latencyMs }: EndedAttempt): boolean {
  return redeliveredAt !== null && endedAt - latencyMs > redeliveredAt;
}

/** Cancelled meanwhile, or as the attempt found it. */
function asItStands({ delivery, hasRow }: Undertaking, stored: ReadonlyMap<EventId, Delivery>): Delivery {
  return (hasRow ? stored.get(delivery.eventId) : undefined) ?? delivery;
}

function deadAlert({ keyId, eventId, attempts }: Delivery, at: Instant, id: AlertId): OperatorAlert {
  return { id, kind: 'delivery_dead', keyId, eventId, attempts, at };
}

function pausedAlert(before: Endpoint, after: Endpoint, nextAlertId: () => AlertId): OperatorAlert | null {
  if (before.state.kind === 'paused' || after.state.kind !== 'paused') return null;
  const { reason, pausedAt } = after.state;
  return { id: nextAlertId(), kind: 'endpoint_paused', keyId: after.keyId, reason, at: pausedAt };
}
