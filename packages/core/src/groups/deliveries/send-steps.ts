import { isPartnerActor } from '../../domain/audit.js';
import { deliveryWithoutRow, restart, type StoredDelivery } from '../../domain/delivery.js';
import { evidenceToKeep } from '../../domain/delivery-evidence.js';
import type { StoredEndpoint } from '../../domain/endpoint.js';
import type { ResendOnly, SendPlan } from '../../domain/operation.js';
import type { Instant } from '../../domain/time.js';
import { LIST_LIMIT } from '../../operator/command/fields.js';
import { lockEndpoint } from '../../operator/find-or-throw.js';
import type { PlannedOperation, StepOutcome } from '../../operator/operations/operation-stepper.js';
import type { Scope } from '../../operator/scope.js';
import type { DeliveryPosition, WaitingPosition } from '../../ports/repositories/deliveries.js';
import { BEFORE_ALL_IDS } from './delivery-filter.js';

/** How many deliveries a command sends, or with `dryRun` would send. */
export interface SendCounts {
  /** The sum of `restarted` and `broughtForward`. */
  readonly count: number;
  /** Delivered, dead or cancelled deliveries that start ten new attempts. */
  readonly restarted: number;
  /** Pending deliveries that waited for their next attempt and are due now, with their attempts kept. */
  readonly broughtForward: number;
  /** Those of `count` that are not sent before somebody resumes their endpoint, because it is paused. */
  readonly held: number;
  /**
   * Deliveries that were looked at and left out. Pending ones are due anyway. With `only`, also those that are delivered
   * or cancelled. If a partner resends, also those that the operator cancelled.
   */
  readonly skipped: number;
}

export const NOTHING_SENT: SendCounts = { count: 0, restarted: 0, broughtForward: 0, held: 0, skipped: 0 };

export function addCounts(one: SendCounts, other: SendCounts): SendCounts {
  return {
    count: one.count + other.count,
    restarted: one.restarted + other.restarted,
    broughtForward: one.broughtForward + other.broughtForward,
    held: one.held + other.held,
    skipped: one.skipped + other.skipped,
  };
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
  /** How many deliveries a step checks; default: 1000. */
  readonly atOnce?: number;
}

export interface SendRules extends SendStepRules {
  readonly only: ResendOnly | null;
}

export function firstPosition(plan: SendPlan): SendPosition {
  if (plan.kind === 'retry_now') return { phase: 'waiting', after: null };
  const { until, only } = plan;
  if (only === null) return { phase: 'log', before: until ?? Number.MAX_SAFE_INTEGER };
  return { phase: 'dead', after: until === null ? null : { eventAt: until, eventId: BEFORE_ALL_IDS } };
}

/** Checks at most 1000 deliveries, or `atOnce`, and sends those that the plan selects. */
export async function runSendStep(
  scope: Scope,
  plan: SendPlan,
  position: SendPosition,
  rules: SendStepRules,
): Promise<SendStep> {
  const { since = null, until = null, only = null } = plan.kind === 'resend' ? plan : {};
  const sending: Sending = {
    scope,
    endpoint: await lockEndpoint(scope, plan.keyId),
    from: since ?? 0,
    before: until ?? Number.MAX_SAFE_INTEGER,
    rules: { ...rules, only },
  };
  switch (position.phase) {
    case 'log':
      return sendRange(sending, position.before);
    case 'dead':
      return sendDead(sending, position.after);
    case 'waiting':
      return sendWaiting(sending, position.after);
  }
}

/** A step that has begun. */
interface Sending {
  readonly scope: Scope;
  readonly endpoint: StoredEndpoint;
  /** The time of the events: `from` is inclusive, `before` exclusive. */
  readonly from: Instant;
  readonly before: Instant;
  readonly rules: SendRules;
}

async function sendRange({ scope, endpoint, from, rules }: Sending, before: Instant): Promise<SendStep> {
  const { tx } = scope;
  const { keyId } = endpoint;
  const [backlog] = await tx.endpoints.backlogs(keyId, 0, 1);
  // Skips events that were never attempted, because they are due anyway.
  const sentBefore = Math.min(before, backlog?.oldestUnsentAt ?? before);
  const limit = rules.atOnce ?? LIST_LIMIT.max;
  const events = await tx.events.listNewest({ keyId, from, before: sentBefore, limit });
  const ids = events.map(({ id }) => id);
  const rows = await tx.deliveries.find(keyId, ids);
  const deliveries = events.map((event, index) => rows[index] ?? deliveryWithoutRow(event, true));
  const last = events.length < limit ? undefined : events.at(-1);
  const next = last === undefined ? null : ({ phase: 'log', before: last.at } as const);
  return { sent: await sendNow(scope, endpoint, deliveries, rules), next };
}

async function sendDead(sending: Sending, after: DeliveryPosition | null): Promise<SendStep> {
  const { scope, endpoint, from, rules } = sending;
  const { keyId } = endpoint;
  const limit = rules.atOnce ?? LIST_LIMIT.max;
  const dead = await scope.tx.deliveries.list({
    keyId,
    state: 'dead',
    from,
    after: after ?? undefined,
    limit,
  });
  const sent = await sendNow(scope, endpoint, dead, rules);
  const last = dead.at(-1);
  if (last === undefined || dead.length < limit) {
    const rest = await sendWaiting(sending, null, limit - dead.length);
    return { sent: addCounts(sent, rest.sent), next: rest.next };
  }
  return { sent, next: { phase: 'dead', after: { eventAt: last.eventAt, eventId: last.eventId } } };
}

async function sendWaiting(
  { scope, endpoint, from, before, rules }: Sending,
  after: WaitingPosition | null,
  limit: number = rules.atOnce ?? LIST_LIMIT.max,
): Promise<SendStep> {
  const first = { dueAt: rules.asOf, eventAt: Number.MAX_SAFE_INTEGER };
  const { keyId } = endpoint;
  const waiting = await scope.tx.deliveries.listWaiting({ keyId, after: after ?? first, limit });
  const last = waiting.length < limit ? undefined : waiting.at(-1);
  const next: SendPosition | null =
    last === undefined || last.dueAt === null
      ? null
      : { phase: 'waiting', after: { dueAt: last.dueAt, eventAt: last.eventAt } };
  const ofTime = waiting.filter(({ eventAt }) => eventAt >= from && eventAt < before);
  return { sent: await sendNow(scope, endpoint, ofTime, rules), next };
}

/**
 * Restarts deliveries that are not pending. Makes deliveries due now that wait for their next attempt. For a partner,
 * leaves out those that the operator cancelled.
 */
export async function sendNow(
  scope: Scope,
  { keyId, state: { kind } }: Pick<StoredEndpoint, 'keyId' | 'state'>,
  deliveries: readonly StoredDelivery[],
  rules: SendRules,
): Promise<SendCounts> {
  const toSend = deliveries.filter((delivery) => isToSend(scope, delivery, rules));
  const done = toSend.filter(({ state }) => state !== 'pending');
  const waiting = toSend.filter(({ state }) => state === 'pending');
  const count = toSend.length;
  const sent: SendCounts = {
    count,
    restarted: done.length,
    broughtForward: waiting.length,
    held: kind === 'paused' ? count : 0,
    skipped: deliveries.length - count,
  };
  const { asOf, isDryRun } = rules;
  if (isDryRun || count === 0) return sent;
  await scope.tx.evidence.append(evidenceToKeep(done));
  await scope.tx.deliveries.save(done.map((delivery) => restart(delivery, asOf)));
  await scope.tx.deliveries.bringForward(
    keyId,
    waiting.map(({ eventId }) => eventId),
    asOf,
  );
  scope.workIsDue();
  return sent;
}

/** Returns whether `sendNow` sends the delivery. */
export function isToSend(
  { actor }: Pick<Scope, 'actor'>,
  delivery: StoredDelivery,
  { asOf, only }: SendRules,
): boolean {
  switch (delivery.state) {
    case 'pending':
      return isWaiting(delivery, asOf);
    case 'dead':
      return true;
    case 'delivered':
      return only === null;
    case 'cancelled':
      return only === null && !isPartnerActor(actor);
  }
}

/**
 * Returns whether the delivery waits for a later attempt. If its last attempt was after the command began, returns
 * false, so that a broken receiver does not use up its attempts.
 */
export function isWaiting({ state, dueAt, lastAttemptAt }: StoredDelivery, asOf: Instant): boolean {
  if (state !== 'pending' || dueAt === null || dueAt <= asOf) return false;
  return lastAttemptAt === null || lastAttemptAt <= asOf;
}

/** Runs a step of an operation that sends. */
export async function sendStep(
  scope: Scope,
  { plan, createdAt: asOf }: PlannedOperation<SendPlan>,
  position: unknown,
): Promise<StepOutcome> {
  const from = (position as SendPosition | null) ?? firstPosition(plan);
  const { sent, next } = await runSendStep(scope, plan, from, { asOf, isDryRun: false });
  return { done: sent.count, skipped: sent.skipped, next };
}
