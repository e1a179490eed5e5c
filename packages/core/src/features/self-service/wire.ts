import { toIso } from '../../domain/time.js';
import type { EndpointTest, OwnDelivery, OwnEndpoint } from './service.js';
import type { WireEndpoint, WireOwnDelivery, WireTest } from './wire-schemas.js';

export function wireEndpointOf(endpoint: OwnEndpoint): WireEndpoint {
  const { url, state, pausedReason, consecutiveFailures, lastFailure } = endpoint;
  return {
    url,
    state,
    pausedReason,
    pausedAt: isoOrNull(endpoint.pausedAt),
    failingSince: isoOrNull(endpoint.failingSince),
    consecutiveFailures,
    lastSuccessAt: isoOrNull(endpoint.lastSuccessAt),
    lastFailure,
    createdAt: toIso(endpoint.createdAt),
  };
}

export function toWireTest(test: EndpointTest): WireTest {
  const { eventId, isSuccess: delivered, status, failure, latencyMs } = test;
  return { eventId, delivered, failure: failure === null ? null : { kind: failure, status }, latencyMs };
}

export function toWireDeliveryPage({
  items,
  nextCursor,
}: {
  readonly items: readonly OwnDelivery[];
  readonly nextCursor: string | null;
}) {
  const data = items.map(toWireDelivery);
  return nextCursor === null ? { data } : { data, next_cursor: nextCursor };
}

function toWireDelivery(delivery: OwnDelivery): WireOwnDelivery {
  const { eventId, type, state, attempts, lastFailure } = delivery;
  return {
    eventId,
    type,
    occurredAt: toIso(delivery.occurredAt),
    state,
    attempts,
    nextAttemptAt: isoOrNull(delivery.nextAttemptAt),
    deliveredAt: isoOrNull(delivery.deliveredAt),
    lastFailure,
  };
}

function isoOrNull(at: number | null): string | null {
  return at === null ? null : toIso(at);
}
