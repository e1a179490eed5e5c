import type { AttemptOutcome, Delivery } from '@partner-hiring/core/ports';
import type { Columns } from '../dialect.js';
import type { DeliveryTable } from '../schema.js';

export const DELIVERY_COLUMNS: Columns<DeliveryTable> = {
  key_id: 'text',
  event_id: 'text',
  event_at: 'integer',
  state: 'text',
  attempts: 'integer',
  cycle: 'integer',
  due_at: 'integer',
  pending_since: 'integer',
  last_attempt_at: 'integer',
  last_outcome: 'text',
  last_latency_ms: 'integer',
};

export function toDelivery(row: DeliveryTable): Delivery {
  return {
    keyId: row.key_id,
    eventId: row.event_id,
    eventAt: row.event_at,
    state: row.state,
    attempts: row.attempts,
    cycle: row.cycle,
    dueAt: row.due_at,
    pendingSince: row.pending_since ?? row.event_at,
    lastAttemptAt: row.last_attempt_at,
    lastOutcome: row.last_outcome === null ? null : (JSON.parse(row.last_outcome) as AttemptOutcome),
    lastLatencyMs: row.last_latency_ms,
  };
}

export function fromDelivery(delivery: Delivery): DeliveryTable {
  return {
    key_id: delivery.keyId,
    event_id: delivery.eventId,
    event_at: delivery.eventAt,
    state: delivery.state,
    attempts: delivery.attempts,
    cycle: delivery.cycle,
    due_at: delivery.dueAt,
    // An older release leaves the column null.
    pending_since: delivery.pendingSince === delivery.eventAt ? null : delivery.pendingSince,
    last_attempt_at: delivery.lastAttemptAt,
    last_outcome: delivery.lastOutcome === null ? null : JSON.stringify(delivery.lastOutcome),
    last_latency_ms: delivery.lastLatencyMs,
  };
}
