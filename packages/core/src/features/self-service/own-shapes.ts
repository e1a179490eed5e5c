import { isSuccess } from '../../domain/delivery.js';
import type { StoredEndpoint } from '../../domain/endpoint.js';
import { ownFailure } from '../../domain/endpoint-failure.js';
import type { Delivery } from '../../groups/deliveries/read-deliveries.js';
import type { KeyNames } from '../../operator/names.js';
import type { OwnDelivery, OwnEndpoint } from './service.js';

// Each function names its fields, so that a field that a later release adds to the host's rows does not get out.

export function ownEndpoint(
  endpoint: Pick<StoredEndpoint, 'url' | 'state' | 'health' | 'createdAt'>,
): OwnEndpoint {
  const { url, state, health, createdAt } = endpoint;
  const { firstFailureAt: failingSince, consecutiveFailures, lastSuccessAt, lastFailure } = health;
  const reason = state.kind === 'paused' ? state.reason : null;
  return {
    url,
    state: state.kind,
    pausedReason: reason === 'copied' ? 'operator' : reason,
    pausedAt: state.kind === 'paused' ? state.pausedAt : null,
    failingSince,
    consecutiveFailures,
    lastSuccessAt,
    lastFailure: lastFailure && ownFailure(lastFailure),
    createdAt,
  };
}

export function ownDelivery(delivery: Omit<Delivery, 'pause' | keyof KeyNames>): OwnDelivery {
  const { eventId, type, eventAt, state, attempts, dueAt, lastOutcome, evidence } = delivery;
  return {
    eventId,
    type,
    occurredAt: eventAt,
    state,
    attempts,
    nextAttemptAt: dueAt,
    deliveredAt: evidence?.deliveredAt ?? null,
    lastFailure: lastOutcome === null || isSuccess(lastOutcome) ? null : ownFailure(lastOutcome),
  };
}
