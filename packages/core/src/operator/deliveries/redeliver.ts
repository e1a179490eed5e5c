import { type Delivery, deliveryWithoutRow, redeliver } from '../../domain/delivery.js';
import type { EventId, KeyId } from '../../domain/ids.js';
import type { Instant } from '../../domain/time.js';
import type { DeliveryCommands, DeliveryOutcome, DeliveryTarget, RedeliveryOutcome } from '../deliveries.js';
import { lockEndpoint } from '../endpoints/find-endpoint.js';
import { othersTurn } from '../in-parts.js';
import { inspect, inspectInstant, LIST_LIMIT } from '../input/inspection.js';
import type { Runner, Scope } from '../scope.js';
import { deliveryNotFound, findStandings } from './find-delivery.js';

/** Sends one event on its way again. Throws what `DeliveryCommands` says. */
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

/** Sends a list of events on their way again. Throws what `DeliveryCommands` says. */
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
  const standings = await findStandings(scope.tx, keyId, ids);
  const deliveries = standings.flatMap((standing) => (standing === null ? [] : [standing.delivery]));
  const done = deliveries.filter(({ state }) => state !== 'pending');
  await sendAgain(scope, done);
  return {
    redelivered: done.length,
    pending: deliveries.length - done.length,
    missing: ids.filter((_, index) => (standings[index] ?? null) === null),
  };
}

/** Sends all dead letters of a key on their way again, in steps. Throws what `DeliveryCommands` says. */
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
    await othersTurn();
  }
}

async function redeliverDead(scope: Scope, keyId: KeyId, dueAt: Instant): Promise<number> {
  await lockEndpoint(scope, keyId);
  const dead = await scope.tx.deliveries.list({ keyId, state: 'dead', limit: LIST_LIMIT.max });
  await sendAgain(scope, dead, dueAt);
  return dead.length;
}

type Window = Parameters<DeliveryCommands['redeliverSince']>[0];

/** Sends a window of the log on its way again, in steps. Throws what `DeliveryCommands` says. */
export async function redeliverSince(
  { run, now }: Runner,
  { keyId, since, until }: Window,
): Promise<{ readonly redelivered: number }> {
  const inspection = inspect('deliveries.redeliverSince');
  inspection.expect(since !== undefined, 'since', 'must be given');
  inspectInstant(inspection, since, 'since');
  inspectInstant(inspection, until, 'until');
  inspection.end();
  // The same for all steps: what is due at one instant goes out in the order of the log.
  const dueAt = await now();
  let redelivered = 0;
  let before: Instant | null = until ?? Number.MAX_SAFE_INTEGER;
  while (before !== null) {
    const end: Instant = before;
    const step = await run((scope) => redeliverStep(scope, { keyId, from: since, before: end, dueAt }));
    redelivered += step.redelivered;
    before = step.before;
    if (before !== null) await othersTurn();
  }
  return { redelivered };
}

/** A stretch of a log that is to be sent again. */
interface Stretch {
  readonly keyId: KeyId;
  readonly from: Instant;
  readonly before: Instant;
  readonly dueAt: Instant;
}

/** What a step came to, and before which event the next one begins; null after the last. */
interface Step {
  readonly redelivered: number;
  readonly before: Instant | null;
}

/** One statement that reads the log, one that reads rows, one that writes them, however long the log is. */
async function redeliverStep(scope: Scope, { keyId, from, before, dueAt }: Stretch): Promise<Step> {
  const { tx } = scope;
  await lockEndpoint(scope, keyId);
  const [backlog] = await tx.endpoints.backlogs(keyId, 0, 1);
  // What was never attempted is on its way anyway; it is not even read.
  const sentBefore = Math.min(before, backlog?.oldestUnsentAt ?? before);
  const limit = LIST_LIMIT.max;
  const events = await tx.events.listNewest({ keyId, from, before: sentBefore, limit });
  const rows = await tx.deliveries.find(
    keyId,
    events.map(({ id }) => id),
  );
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
