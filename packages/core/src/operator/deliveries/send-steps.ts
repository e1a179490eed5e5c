import { isPartnerActor } from '../../domain/audit.js';
import { deliveryWithoutRow, redeliver, type StoredDelivery } from '../../domain/delivery.js';
import { evidenceToKeep } from '../../domain/delivery-evidence.js';
import type { KeyId } from '../../domain/ids.js';
import type { SendPlan } from '../../domain/operation.js';
import type { Instant } from '../../domain/time.js';
import type { DeliveryPosition, WaitingPosition } from '../../ports/repositories/deliveries.js';
import { LIST_LIMIT } from '../command/fields.js';
import { lockEndpoint } from '../find-or-throw.js';
import type { Scope } from '../scope.js';

/** How many deliveries a command sends, or with `dryRun` would send. */
export interface SendCounts {
  /** The sum of the other two. */
  readonly count: number;
  /** Delivered, dead or cancelled deliveries that start ten new attempts. */
  readonly redelivered: number;
  /** Pending deliveries that waited for their next attempt and are due now. They keep their attempts. */
  readonly broughtForward: number;
}

export const NOTHING_SENT: SendCounts = { count: 0, redelivered: 0, broughtForward: 0 };

export function addCounts(one: SendCounts, other: SendCounts): SendCounts {
  return sendCounts(one.redelivered + other.redelivered, one.broughtForward + other.broughtForward);
}

export function sendCounts(redelivered: number, broughtForward: number): SendCounts {
  return { count: redelivered + broughtForward, redelivered, broughtForward };
}

/** Where the next step of a plan starts. */
export type SendPosition =
  | { readonly phase: 'log'; readonly before: Instant }
  | { readonly phase: 'dead'; readonly after: DeliveryPosition | null }
  | { readonly phase: 'waiting'; readonly after: WaitingPosition | null };

export interface SendStep {
  readonly sent: SendCounts;
  /** Null after the last step. */
  readonly next: SendPosition | null;
}

export interface SendStepRules {
  /** When the command began. Deliveries become due at this time. */
  readonly asOf: Instant;
  readonly isDryRun: boolean;
}

export function firstPosition(plan: SendPlan): SendPosition {
  switch (plan.kind) {
    case 'redeliver_since':
      return { phase: 'log', before: plan.until ?? Number.MAX_SAFE_INTEGER };
    case 'redeliver_all':
      return { phase: 'dead', after: null };
    case 'retry_now':
      return { phase: 'waiting', after: null };
  }
}

/** Checks at most 1000 deliveries, and sends those that the plan selects. */
export async function runSendStep(
  scope: Scope,
  plan: SendPlan,
  position: SendPosition,
  rules: SendStepRules,
): Promise<SendStep> {
  const { keyId } = plan;
  await lockEndpoint(scope, keyId);
  switch (position.phase) {
    case 'log':
      return sendRange(scope, keyId, plan.kind === 'redeliver_since' ? plan.since : 0, position, rules);
    case 'dead':
      return sendDead(scope, keyId, position.after, rules);
    case 'waiting':
      return sendWaiting(scope, keyId, position.after, rules);
  }
}

async function sendRange(
  scope: Scope,
  keyId: KeyId,
  from: Instant,
  { before }: { readonly before: Instant },
  rules: SendStepRules,
): Promise<SendStep> {
  const { tx } = scope;
  const [backlog] = await tx.endpoints.backlogs(keyId, 0, 1);
  // Skips events that were never attempted, because they are due anyway.
  const sentBefore = Math.min(before, backlog?.oldestUnsentAt ?? before);
  const limit = LIST_LIMIT.max;
  const events = await tx.events.listNewest({ keyId, from, before: sentBefore, limit });
  const ids = events.map(({ id }) => id);
  const rows = await tx.deliveries.find(keyId, ids);
  const deliveries = events.map((event, index) => rows[index] ?? deliveryWithoutRow(event, true));
  const last = events.length < limit ? undefined : events.at(-1);
  const next = last === undefined ? null : ({ phase: 'log', before: last.at } as const);
  return { sent: await sendNow(scope, keyId, deliveries, rules), next };
}

async function sendDead(
  scope: Scope,
  keyId: KeyId,
  after: DeliveryPosition | null,
  rules: SendStepRules,
): Promise<SendStep> {
  const limit = LIST_LIMIT.max;
  const start = after === null ? {} : { after };
  const dead = await scope.tx.deliveries.list({ keyId, state: 'dead', ...start, limit });
  const sent = await sendNow(scope, keyId, dead, rules);
  const last = dead.at(-1);
  if (last === undefined || dead.length < limit) {
    const rest = await sendWaiting(scope, keyId, null, rules, limit - dead.length);
    return { sent: addCounts(sent, rest.sent), next: rest.next };
  }
  return { sent, next: { phase: 'dead', after: { eventAt: last.eventAt, eventId: last.eventId } } };
}

async function sendWaiting(
  scope: Scope,
  keyId: KeyId,
  after: WaitingPosition | null,
  rules: SendStepRules,
  limit: number = LIST_LIMIT.max,
): Promise<SendStep> {
  const first = { dueAt: rules.asOf, eventAt: Number.MAX_SAFE_INTEGER };
  const waiting = await scope.tx.deliveries.listWaiting({ keyId, after: after ?? first, limit });
  const last = waiting.length < limit ? undefined : waiting.at(-1);
  const next: SendPosition | null =
    last === undefined || last.dueAt === null
      ? null
      : { phase: 'waiting', after: { dueAt: last.dueAt, eventAt: last.eventAt } };
  return { sent: await sendNow(scope, keyId, waiting, rules), next };
}

/**
 * Sends deliveries again that are not pending. Makes deliveries due now that wait for their next attempt. For a partner,
 * leaves out those that the operator cancelled.
 */
export async function sendNow(
  scope: Scope,
  keyId: KeyId,
  deliveries: readonly StoredDelivery[],
  { asOf, isDryRun }: SendStepRules,
): Promise<SendCounts> {
  const toSend = deliveries.filter((delivery) => isToSend(scope, delivery, asOf));
  const done = toSend.filter(({ state }) => state !== 'pending');
  const waiting = toSend.filter(({ state }) => state === 'pending');
  const sent = sendCounts(done.length, waiting.length);
  if (isDryRun || sent.count === 0) return sent;
  await scope.tx.evidence.append(evidenceToKeep(done));
  await scope.tx.deliveries.save(done.map((delivery) => redeliver(delivery, asOf)));
  await scope.tx.deliveries.bringForward(
    keyId,
    waiting.map(({ eventId }) => eventId),
    asOf,
  );
  scope.workIsDue();
  return sent;
}

/** Returns whether `sendNow` sends the delivery. */
export function isToSend({ actor }: Pick<Scope, 'actor'>, delivery: StoredDelivery, asOf: Instant): boolean {
  if (delivery.state === 'cancelled') return !isPartnerActor(actor);
  return delivery.state !== 'pending' || isWaiting(delivery, asOf);
}

/**
 * Returns whether the delivery waits for a later attempt. If its last attempt was after the command began, returns
 * false, so that a broken receiver does not use up its attempts.
 */
export function isWaiting({ state, dueAt, lastAttemptAt }: StoredDelivery, asOf: Instant): boolean {
  if (state !== 'pending' || dueAt === null || dueAt <= asOf) return false;
  return lastAttemptAt === null || lastAttemptAt <= asOf;
}
