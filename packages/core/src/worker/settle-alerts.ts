import { failingAlert, type NewAlert } from '../domain/alert.js';
import type { StoredDelivery } from '../domain/delivery.js';
import type { StoredEndpoint } from '../domain/endpoint.js';
import { failingFacts, originOf } from '../domain/failing-endpoint.js';
import type { AlertId } from '../domain/ids.js';
import type { Instant } from '../domain/time.js';

export function deadAlert(
  { keyId, eventId, attempts }: StoredDelivery,
  { url }: StoredEndpoint,
  { id, at, told }: { readonly id: AlertId; readonly at: Instant; readonly told: StoredEndpoint | null },
): NewAlert {
  const isFirstOfDay = told !== null;
  return { id, kind: 'delivery_dead', keyId, origin: originOf(url), eventId, attempts, isFirstOfDay, at };
}

export function nearPauseAlert(
  endpoint: StoredEndpoint,
  at: Instant,
  nextAlertId: () => AlertId,
): readonly NewAlert[] {
  const facts = failingFacts(endpoint);
  return facts === null ? [] : [failingAlert(facts, { id: nextAlertId(), reason: 'near_pause', at })];
}

/** The endpoint was reported as failing or paused, and is well again. */
export function recoveredAlert(
  before: StoredEndpoint,
  after: StoredEndpoint,
  nextAlertId: () => AlertId,
): NewAlert | null {
  const { reportedAt } = before.health;
  const { keyId, url, health } = after;
  if (reportedAt === null || health.reportedAt !== null || health.lastSuccessAt === null) return null;
  return {
    id: nextAlertId(),
    kind: 'endpoint_recovered',
    keyId,
    origin: originOf(url),
    reportedAt,
    at: health.lastSuccessAt,
  };
}

export function pausedAlert(
  before: StoredEndpoint,
  after: StoredEndpoint,
  nextAlertId: () => AlertId,
): NewAlert | null {
  if (before.state.kind === 'paused' || after.state.kind !== 'paused') return null;
  const { keyId, url } = after;
  const { reason, pausedAt } = after.state;
  return { id: nextAlertId(), kind: 'endpoint_paused', keyId, origin: originOf(url), reason, at: pausedAt };
}
