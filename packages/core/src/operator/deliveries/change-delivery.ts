import { cancel, type Delivery, deliveryWithoutRow, newDelivery, redeliver } from '../../domain/delivery.js';
import type { EventId, KeyId } from '../../domain/ids.js';
import { isStorableText } from '../../domain/text.js';
import type { Instant } from '../../domain/time.js';
import { OperatorError } from '../../errors.js';
import { yieldToEventLoop } from '../event-loop.js';
import { lockEndpoint } from '../find-or-throw.js';
import { inspect, inspectInstant, LIST_LIMIT } from '../input.js';
import type { Runner, Scope } from '../scope.js';
import { type DeliveryTarget, deliveryNotFound, findStandings, type Standing } from './find-delivery.js';

/** The delivery after a command. */
export interface DeliveryOutcome {
  readonly delivery: Delivery;
  readonly changed: boolean;
}

/** The result of `redeliverMany`. */
export interface RedeliveryOutcome {
  readonly redelivered: number;
  readonly pending: number;
  /** Unknown or expired. */
  readonly missing: readonly EventId[];
}

export async function redeliverOne(scope: Scope, target: DeliveryTarget): Promise<DeliveryOutcome> {
  const { keyId, eventId } = target;
  await lockEndpoint(scope, keyId);
  const [standing] = await findStandings(scope.tx, keyId, [eventId]);
  if (!standing) throw deliveryNotFound(target);
  const { delivery } = standing;
  if (delivery.state === 'pending') return { delivery, changed: false };
  const [again] = await sendAgain(scope, [delivery]);
  return { delivery: again ?? delivery, changed: true };
}

export async function redeliverMany(
  scope: Scope,
  keyId: KeyId,
  eventIds: readonly EventId[],
): Promise<RedeliveryOutcome> {
  const inspection = inspect('deliveries.redeliverMany');
  const isList =
    Array.isArray(eventIds) &&
    eventIds.length <= LIST_LIMIT.max &&
    eventIds.every((id) => typeof id === 'string');
  inspection.expect(isList, 'eventIds', `must be a list of at most ${LIST_LIMIT.max} ids`);
  inspection.end();
  await lockEndpoint(scope, keyId);
  const ids = [...new Set(eventIds)];
  // PostgreSQL would abort the transaction at any other text.
  const standings = await findStandings(scope.tx, keyId, ids.filter(isStorableText));
  const deliveries = standings.flatMap((standing) => (standing === null ? [] : [standing.delivery]));
  const done = deliveries.filter(({ state }) => state !== 'pending');
  await sendAgain(scope, done);
  const found = new Set(deliveries.map(({ eventId }) => eventId));
  return {
    redelivered: done.length,
    pending: deliveries.length - done.length,
    missing: ids.filter((id) => !found.has(id)),
  };
}

export async function redeliverAll(
  { run, now }: Runner,
  keyId: KeyId,
): Promise<{ readonly redelivered: number }> {
  const dueAt = await now();
  let redelivered = 0;
  for (;;) {
    const step = await run((scope) => redeliverDead(scope, keyId, dueAt));
    redelivered += step;
    if (step < LIST_LIMIT.max) return { redelivered };
    await yieldToEventLoop();
  }
}

async function redeliverDead(scope: Scope, keyId: KeyId, dueAt: Instant): Promise<number> {
  await lockEndpoint(scope, keyId);
  const dead = await scope.tx.deliveries.list({ keyId, state: 'dead', limit: LIST_LIMIT.max });
  await sendAgain(scope, dead, dueAt);
  return dead.length;
}

/** Uses one transaction per 1000 events, newest first. */
export async function redeliverSince(
  { run, now }: Runner,
  window: { readonly keyId: KeyId; readonly since: Instant; readonly until?: Instant },
): Promise<{ readonly redelivered: number }> {
  const { keyId, since, until } = window;
  const inspection = inspect('deliveries.redeliverSince');
  inspection.expect(since !== undefined, 'since', 'must be given');
  inspectInstant(inspection, since, 'since');
  inspectInstant(inspection, until, 'until');
  inspection.end();
  const dueAt = await now();
  let redelivered = 0;
  let before: Instant | null = until ?? Number.MAX_SAFE_INTEGER;
  while (before !== null) {
    const end: Instant = before;
    const step = await run((scope) => redeliverRange(scope, { keyId, from: since, before: end, dueAt }));
    redelivered += step.redelivered;
    before = step.before;
    if (before !== null) await yieldToEventLoop();
  }
  return { redelivered };
}

interface LogRange {
  readonly keyId: KeyId;
  readonly from: Instant;
  readonly before: Instant;
  readonly dueAt: Instant;
}

/** `before` is the end of the next range, or null after the last. */
async function redeliverRange(
  scope: Scope,
  { keyId, from, before, dueAt }: LogRange,
): Promise<{ readonly redelivered: number; readonly before: Instant | null }> {
  const { tx } = scope;
  await lockEndpoint(scope, keyId);
  const [backlog] = await tx.endpoints.backlogs(keyId, 0, 1);
  // Events that were never attempted are pending.
  const sentBefore = Math.min(before, backlog?.oldestUnsentAt ?? before);
  const limit = LIST_LIMIT.max;
  const events = await tx.events.listNewest({ keyId, from, before: sentBefore, limit });
  const ids = events.map(({ id }) => id);
  const rows = await tx.deliveries.find(keyId, ids);
  const deliveries = events.map((event, index) => rows[index] ?? deliveryWithoutRow(event, true));
  const done = deliveries.filter(({ state }) => state !== 'pending');
  await sendAgain(scope, done, dueAt);
  return { redelivered: done.length, before: events.length < limit ? null : (events.at(-1)?.at ?? null) };
}

async function sendAgain(
  scope: Scope,
  deliveries: readonly Delivery[],
  asOf?: Instant,
): Promise<readonly Delivery[]> {
  if (deliveries.length === 0) return [];
  const dueAt = asOf ?? (await scope.now());
  const again = deliveries.map((delivery) => redeliver(delivery, dueAt));
  await scope.tx.deliveries.save(again);
  scope.workIsDue();
  return again;
}

/** Limits a cancellation to some tenths of a second. */
const MAX_ROWS = 10_000;

export async function cancelOne(scope: Scope, target: DeliveryTarget): Promise<DeliveryOutcome> {
  await lockEndpoint(scope, target.keyId);
  const [standing] = await findStandings(scope.tx, target.keyId, [target.eventId]);
  if (!standing) throw deliveryNotFound(target);
  const { delivery } = standing;
  if (delivery.state === 'cancelled') return { delivery, changed: false };
  if (delivery.state !== 'pending') {
    throw illegalMove(
      `The delivery of ${target.eventId} is ${delivery.state}. Only a pending delivery can be cancelled.`,
    );
  }
  const cancelled = cancel(delivery);
  if (standing.unsentSince !== null) await advancePast(scope, standing, standing.unsentSince);
  await scope.tx.deliveries.save([cancelled]);
  return { delivery: cancelled, changed: true };
}

/** Prevents workers from sending the event. Older events get pending rows. */
async function advancePast(scope: Scope, { event }: Standing, from: Instant): Promise<void> {
  const { tx } = scope;
  const { keyId, at, id } = event;
  const older = await tx.events.listNewest({ keyId, from, before: at, limit: MAX_ROWS + 1 });
  if (older.length > MAX_ROWS) {
    throw illegalMove(
      `More than ${MAX_ROWS} events before ${id} were not attempted yet. Cancel it again later.`,
    );
  }
  if (!(await tx.endpoints.advanceWatermark(keyId, at))) {
    throw illegalMove(
      `A worker is sending to the endpoint of ${keyId} and may have started ${id}. Pause the endpoint, then cancel again.`,
    );
  }
  // In a burst, stamps run ahead of the clock.
  const now = await scope.now();
  await tx.deliveries.save(older.map((each) => newDelivery(each, Math.min(each.at, now))));
}

function illegalMove(message: string): OperatorError {
  return new OperatorError('ILLEGAL_MOVE', message);
}
