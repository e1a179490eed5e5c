import type { AuditObject } from '../../domain/audit.js';
import { cancel, type Delivery, newDelivery, redeliver } from '../../domain/delivery.js';
import { applicationOfEvent } from '../../domain/event.js';
import type { EventId, KeyId } from '../../domain/ids.js';
import { isStorableText } from '../../domain/text.js';
import type { Instant } from '../../domain/time.js';
import { OperatorError } from '../../errors.js';
import { lockEndpoint } from '../find-or-throw.js';
import type { Runner, Scope } from '../scope.js';
import { recordAct } from '../scope.js';
import { type DeliveryTarget, deliveryNotFound, findStandings, type Standing } from './find-delivery.js';
import { type BulkSending, sendMany } from './send-many.js';
import { isToSend, type SendCounts, sendNow } from './send-steps.js';

/** The delivery after a command. */
export interface DeliveryOutcome {
  readonly delivery: Delivery;
  /** False if everything was as asked, so that nothing was written. */
  readonly changed: boolean;
}

/** An option of commands that send deliveries. */
export interface DryRun {
  /** Whether to only count what would be sent, and change nothing; default: false. */
  readonly dryRun?: boolean | undefined;
}

/** The result of `redeliver`. With `dryRun`, `delivery` is unchanged. */
export interface RedeliveredOne extends DeliveryOutcome {
  /** 1 if the delivery is sent, or with `dryRun` would be sent. 0 if it is pending and due anyway. */
  readonly count: number;
}

/** The result of `redeliverMany`. */
export interface RedeliveryOutcome extends SendCounts {
  /** Pending deliveries that are due anyway. */
  readonly pending: number;
  /** Unknown or expired. */
  readonly missing: readonly EventId[];
}

export async function redeliverOne(
  scope: Scope,
  { keyId, eventId, dryRun = false }: DeliveryTarget & DryRun,
): Promise<RedeliveredOne> {
  await lockEndpoint(scope, keyId);
  const [standing] = await findStandings(scope.tx, keyId, [eventId]);
  if (!standing) throw deliveryNotFound({ keyId, eventId });
  const { delivery } = standing;
  const asOf = await scope.now();
  const { count } = await sendNow(scope, keyId, [delivery], { asOf, isDryRun: dryRun });
  if (count === 0) return { delivery, changed: false, count };
  if (!dryRun) {
    const [before, after] = [{ state: delivery.state }, { state: 'pending' }];
    recordAct(scope, { objects: objectsOf(standing), keyId, before, after });
  }
  const sent = delivery.state === 'pending' ? { ...delivery, dueAt: asOf } : redeliver(delivery, asOf);
  return { delivery: dryRun ? delivery : sent, changed: !dryRun, count };
}

export async function redeliverMany(
  scope: Scope,
  {
    keyId,
    eventIds,
    dryRun = false,
  }: DryRun & { readonly keyId: KeyId; readonly eventIds: readonly EventId[] },
): Promise<RedeliveryOutcome> {
  await lockEndpoint(scope, keyId);
  const ids = [...new Set(eventIds)];
  // Ids that cannot be stored as text are left out, because PostgreSQL would abort the transaction.
  const standings = await findStandings(scope.tx, keyId, ids.filter(isStorableText));
  const existing = standings.filter((standing) => standing !== null);
  const deliveries = existing.map(({ delivery }) => delivery);
  const asOf = await scope.now();
  const sent = await sendNow(scope, keyId, deliveries, { asOf, isDryRun: dryRun });
  if (!dryRun)
    recordSent(
      scope,
      keyId,
      existing.filter(({ delivery }) => isToSend(scope, delivery, asOf)),
      ids.length,
    );
  const found = new Set(deliveries.map(({ eventId }) => eventId));
  return {
    ...sent,
    pending: deliveries.length - sent.count,
    missing: ids.filter((id) => !found.has(id)),
  };
}

function recordSent(scope: Scope, keyId: KeyId, sent: readonly Standing[], asked: number): void {
  const [first, ...others] = sent;
  if (first === undefined) return;
  const [main, ...more] = objectsOf(first);
  const objects = [main, ...more, ...others.flatMap(objectsOf)] as const;
  recordAct(scope, { objects, keyId, count: sent.length, filter: { events: asked } });
}

/** The delivery, and the application that its event is about, so that the audit finds the act by both. */
function objectsOf({ delivery: { eventId }, event }: Standing): readonly [AuditObject, ...AuditObject[]] {
  const applicationId = applicationOfEvent(event);
  const delivery = { kind: 'delivery', id: eventId } as const;
  return applicationId === null ? [delivery] : [delivery, { kind: 'application', id: applicationId }];
}

export async function redeliverAll(
  runner: Runner,
  { keyId, dryRun = false }: DryRun & { readonly keyId: KeyId },
): Promise<BulkSending> {
  return sendMany(runner, { kind: 'redeliver_all', keyId }, { isDryRun: dryRun });
}

/** A time range of a key's events. `since` is inclusive, `until` exclusive. */
export interface EventWindow {
  readonly keyId: KeyId;
  readonly since: Instant;
  readonly until?: Instant | undefined;
}

/** Sends the events of a range now, newest first, in transactions of up to 1000 events. */
export async function redeliverSince(
  runner: Runner,
  { keyId, since, until, dryRun = false }: EventWindow & DryRun,
): Promise<BulkSending> {
  const plan = { kind: 'redeliver_since', keyId, since, until: until ?? null } as const;
  return sendMany(runner, plan, { isDryRun: dryRun });
}

/**
 * The maximum number of older events that a cancellation may mark as pending. Marking them takes some tenths of a
 * second.
 */
const MAX_ROWS = 10_000;

export async function cancelOne(scope: Scope, target: DeliveryTarget): Promise<DeliveryOutcome> {
  await lockEndpoint(scope, target.keyId);
  const [standing] = await findStandings(scope.tx, target.keyId, [target.eventId]);
  if (!standing) throw deliveryNotFound(target);
  const { delivery } = standing;
  if (delivery.state === 'cancelled') return { delivery, changed: false };
  if (delivery.state === 'delivered')
    throw illegalMove(`Event ${target.eventId} is delivered, so its delivery cannot be cancelled.`);
  const cancelled = cancel(delivery);
  if (standing.unsentSince !== null) await advancePast(scope, standing, standing.unsentSince);
  await scope.tx.deliveries.save([cancelled]);
  const [before, after] = [{ state: delivery.state }, { state: cancelled.state }];
  recordAct(scope, { objects: objectsOf(standing), keyId: target.keyId, before, after });
  return { delivery: cancelled, changed: true };
}

/**
 * Moves the watermark past the event, so that no worker sends it. Older unattempted events get pending rows, so that
 * they are still sent.
 */
async function advancePast(scope: Scope, { event }: Standing, from: Instant): Promise<void> {
  const { tx } = scope;
  const { keyId, at, id } = event;
  const older = await tx.events.listNewest({ keyId, from, before: at, limit: MAX_ROWS + 1 });
  if (older.length > MAX_ROWS) {
    throw illegalMove(
      `More than ${MAX_ROWS} events before ${id} were not attempted yet. Cancel this delivery later.`,
    );
  }
  if (!(await tx.endpoints.advanceWatermark(keyId, at))) {
    throw illegalMove(
      `A worker is sending to the endpoint of ${keyId} and may have started ${id}. Pause the endpoint, then cancel again.`,
    );
  }
  // In a burst, stamps run ahead of the clock, so an event may be dated in the future.
  const now = await scope.now();
  await tx.deliveries.save(older.map((each) => newDelivery(each, Math.min(each.at, now))));
}

function illegalMove(message: string): OperatorError {
  return new OperatorError('ILLEGAL_MOVE', message);
}
