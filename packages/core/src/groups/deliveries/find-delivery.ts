import type { AuditObject } from '../../domain/audit.js';
import { countBacklog, type DeliveryTotals, sumBacklogs } from '../../domain/backlog.js';
import {
  type AttemptRecord,
  deliveryWithoutRow,
  lastAttempt,
  type StoredDelivery,
} from '../../domain/delivery.js';
import type { DeliveryEvidence } from '../../domain/delivery-evidence.js';
import { applicationOfEvent, type PartnerEvent } from '../../domain/event.js';
import { type EventId, isIdOf, type KeyId } from '../../domain/ids.js';
import { MAX_ATTEMPTS } from '../../domain/retry-schedule.js';
import type { Instant } from '../../domain/time.js';
import { OperatorError } from '../../errors.js';
import { describeMissing } from '../../operator/find-or-throw.js';
import { withKeyNames } from '../../operator/names.js';
import type { Runner } from '../../operator/scope.js';
import type { Repositories } from '../../ports/storage.js';
import { type Delivery, findSuccesses, withPause } from './read-deliveries.js';

/** A delivery by key and event. */
export interface DeliveryTarget {
  readonly keyId: KeyId;
  readonly eventId: EventId;
}

/** A delivery by its event. The key is optional: without it, the event is looked for in the logs of all keys. */
export interface DeliveryLookup extends Pick<DeliveryTarget, 'eventId'> {
  /** The key of the event; default: the logs of all keys are searched. */
  readonly keyId?: KeyId | undefined;
}

/** A delivery with its event, its attempts and its successes. */
export interface DeliveryDetails {
  readonly delivery: Delivery;
  readonly event: PartnerEvent;
  /** The last ten attempts, oldest first; empty if the first attempt succeeded. */
  readonly attempts: readonly AttemptRecord[];
  /**
   * The successes, oldest first: one for each cycle of attempts in which the event was delivered. Resending a
   * delivered event starts a new cycle. After many cycles, only the first success and the last eleven are in the list.
   */
  readonly successes: readonly DeliveryEvidence[];
}

/** The backlog of each endpoint, and the total of all. */
export interface DeliveryCounts {
  readonly overall: DeliveryTotals;
  /** One for each endpoint, paused ones too, or only that of `keyId`. */
  readonly endpoints: readonly (DeliveryTotals & { readonly keyId: KeyId })[];
}

export interface Standing {
  readonly event: PartnerEvent;
  readonly delivery: StoredDelivery;
  /**
   * When the key's oldest unattempted event occurred. Null if this delivery's event was attempted or has a
   * row.
   */
  readonly unsentSince: Instant | null;
}

/** Returns the delivery and the application that its event is about, so that the audit finds an act by both. */
export function objectsOf({
  delivery: { eventId },
  event,
}: Standing): readonly [AuditObject, ...AuditObject[]] {
  const applicationId = applicationOfEvent(event);
  const delivery = { kind: 'delivery', id: eventId } as const;
  return applicationId === null ? [delivery] : [delivery, { kind: 'application', id: applicationId }];
}

/** Finds the deliveries of events. A result is null if the event is unknown, or occurred without an endpoint. */
export async function findStandings(
  { events, deliveries, endpoints }: Repositories,
  keyId: KeyId,
  eventIds: readonly EventId[],
): Promise<readonly (Standing | null)[]> {
  const found = await events.find(keyId, eventIds);
  const [backlog] = await endpoints.backlogs(keyId, 0, 1);
  const logStart = await endpoints.findLogStart(keyId);
  // Rows are read last: if a row was added meanwhile, it is newer than the watermark and takes precedence.
  const rows = await deliveries.find(keyId, eventIds);
  if (backlog === undefined || logStart === null) return eventIds.map(() => null);
  const { oldestUnsentAt } = backlog;
  return found.map((event, index) => {
    // An event from before the endpoint is not for it.
    if (event === null || event.at <= logStart) return null;
    const row = rows[index] ?? null;
    if (row !== null) return { event, delivery: row, unsentSince: null };
    const isUnsent = oldestUnsentAt !== null && event.at >= oldestUnsentAt;
    const delivery = deliveryWithoutRow(event, !isUnsent);
    return { event, delivery, unsentSince: isUnsent ? oldestUnsentAt : null };
  });
}

export async function findDelivery(
  read: Repositories,
  { eventId, keyId: asked }: DeliveryLookup,
): Promise<DeliveryDetails | null> {
  const keyId = asked ?? (await read.events.findKey(eventId));
  if (keyId === null) return null;
  const [standing] = await findStandings(read, keyId, [eventId]);
  return standing ? describeStanding(read, standing) : null;
}

export async function describeStanding(
  read: Repositories,
  { event, delivery }: Standing,
): Promise<DeliveryDetails> {
  const kept = await read.deliveries.findAttempts(event.keyId, event.id);
  // Evidence is read last: resending may move it out of the row meanwhile.
  const [successes = []] = await findSuccesses(read, [delivery]);
  const rows = [{ ...delivery, type: event.type, evidence: successes.at(-1) ?? null }];
  const [named] = await withKeyNames(read, await withPause(read, rows));
  if (named === undefined) throw new Error('One row has the names of one key.');
  return {
    delivery: named,
    event,
    attempts: withLast(kept, delivery),
    successes,
  };
}

function withLast(kept: readonly AttemptRecord[], delivery: StoredDelivery): readonly AttemptRecord[] {
  const last = lastAttempt(delivery);
  if (last === null) return kept;
  const others = kept.filter(({ number, cycle }) => number !== last.number || cycle !== last.cycle);
  return [...others, last].slice(-MAX_ATTEMPTS);
}

export function deliveryNotFound({ keyId, eventId }: DeliveryTarget): OperatorError {
  const problem = isIdOf('event', String(eventId))
    ? `Key ${keyId} has no event ${eventId}. It does not exist, it occurred before the key had an endpoint, or its retention period is over.`
    : describeMissing('event', eventId);
  const message = `${problem} deliveries.list shows the events of a key.`;
  return new OperatorError('DELIVERY_NOT_FOUND', message);
}

const COUNT_BOUND = 10_000;

export async function countDeliveries(
  { read, now: readTime, settings }: Runner,
  keyId: KeyId | null,
): Promise<DeliveryCounts> {
  const now = await readTime();
  const rules = { now, bound: COUNT_BOUND, maxInFlight: settings.maxInFlightPerEndpoint };
  const backlogs = await read.endpoints.backlogs(keyId, now, COUNT_BOUND);
  const endpoints = backlogs.map((backlog) => ({ keyId: backlog.keyId, ...countBacklog(backlog, rules) }));
  return { overall: sumBacklogs(endpoints, now), endpoints };
}
