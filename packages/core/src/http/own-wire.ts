import { isSuccess } from '../domain/delivery.js';
import { type PauseReason, pausedReasonOf } from '../domain/endpoint.js';
import { ownFailure } from '../domain/self-service.js';
import { toIso } from '../domain/time.js';
import type { EndpointTest, OwnDelivery, OwnDeliveryPage, OwnEndpoint } from '../ports/self-service.js';
import type { WireEndpoint, WireOwnDelivery, WireTest } from './wire-schemas/webhook-endpoint.js';

export function wireEndpointOf({ url, state, health, createdAt }: OwnEndpoint): WireEndpoint {
  return {
    url,
    state: state.kind,
    pausedReason: wirePause(pausedReasonOf({ state })),
    pausedAt: state.kind === 'paused' ? toIso(state.pausedAt) : null,
    failingSince: isoOrNull(health.firstFailureAt),
    consecutiveFailures: health.consecutiveFailures,
    lastSuccessAt: isoOrNull(health.lastSuccessAt),
    lastFailure: health.lastFailure === null ? null : ownFailure(health.lastFailure),
    createdAt: toIso(createdAt),
  };
}

export function toWireTest({
  eventId,
  isSuccess: delivered,
  status,
  failure,
  latencyMs,
}: EndpointTest): WireTest {
  return { eventId, delivered, failure: failure === null ? null : { kind: failure, status }, latencyMs };
}

export function toWireDeliveryPage({ deliveries, nextCursor }: OwnDeliveryPage) {
  const data = deliveries.map(toWireDelivery);
  return nextCursor === null ? { data } : { data, next_cursor: nextCursor };
}

function toWireDelivery(delivery: OwnDelivery): WireOwnDelivery {
  const { eventId, type, eventAt, state, attempts, dueAt, lastOutcome, evidence } = delivery;
  return {
    eventId,
    type,
    occurredAt: toIso(eventAt),
    state,
    attempts,
    nextAttemptAt: isoOrNull(dueAt),
    deliveredAt: isoOrNull(evidence?.deliveredAt ?? null),
    lastFailure: lastOutcome === null || isSuccess(lastOutcome) ? null : ownFailure(lastOutcome),
  };
}

function isoOrNull(at: number | null): string | null {
  return at === null ? null : toIso(at);
}

/** Partners need not know that somebody claimed a copy. */
function wirePause(reason: PauseReason | null) {
  return reason === 'copied' ? 'operator' : reason;
}
