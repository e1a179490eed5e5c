import type { AttemptOutcome, Delivery } from '@partner-hiring/core/ports';
import type { DeliveryTable } from '../../schema.js';

/** A row of `ph_delivery` as the domain knows it. */
export function toDelivery(row: DeliveryTable): Delivery {
  return {
    keyId: row.key_id,
    eventId: row.event_id,
    eventAt: row.event_at,
    state: row.state,
    attempts: row.attempts,
    cycle: row.cycle,
    dueAt: row.due_at,
    lastAttemptAt: row.last_attempt_at,
    lastOutcome: row.last_outcome === null ? null : (JSON.parse(row.last_outcome) as AttemptOutcome),
    lastLatencyMs: row.last_latency_ms,
  };
}
