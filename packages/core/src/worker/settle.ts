import { type Batcher, type BatcherOptions, createBatcher } from '../batcher.js';
import type { NewAlert } from '../domain/alert.js';
import { pauseFields, systemActor } from '../domain/audit.js';
import { type AttemptEnd, afterAttempt, isSuccess, type StoredDelivery } from '../domain/delivery.js';
import type { EventSuccess, EvidenceBatch } from '../domain/delivery-evidence.js';
import { endpointAfter, type StoredEndpoint, tellOfDeadLetter } from '../domain/endpoint.js';
import { warnByFailures } from '../domain/failing-endpoint.js';
import type { AlertId, EventId } from '../domain/ids.js';
import type { Instant } from '../domain/time.js';
import type { NewAuditEntry } from '../ports/repositories/audit.js';
import type { EndpointSettlement, Holding, LeasedEndpoint } from '../ports/repositories/endpoints.js';
import type { Runtime } from '../ports/runtime.js';
import type { Repositories, Storage } from '../ports/storage.js';
import { deadAlert, nearPauseAlert, pausedAlert, recoveredAlert } from './settle-alerts.js';

export interface TrackedDelivery {
  readonly delivery: StoredDelivery;
  /** False for an event after the watermark that never needed a row. */
  readonly hasRow: boolean;
}

export interface EndedAttempt extends TrackedDelivery, AttemptEnd {
  readonly url: string;
  /**
   * The jitter of the next delay, in [0, 1). It is drawn once, so that a repeated record has the same result.
   */
  readonly random: number;
}

export interface SenderReport {
  /** The ended attempts, in the order in which they ended. */
  readonly ended: readonly EndedAttempt[];
  readonly unfinished: readonly TrackedDelivery[];
}

export interface Settlement extends SenderReport, Holding {
  readonly release: boolean;
}

export type Settled =
  | { readonly kind: 'lost' }
  /** Another transaction locks the endpoint. Try again. */
  | { readonly kind: 'busy' }
  | {
      readonly kind: 'settled';
      /** The endpoint as stored, including the operator's changes. */
      readonly endpoint: StoredEndpoint;
      readonly passed: readonly StoredDelivery[];
    };

export type Settle = Batcher<Settlement, Settled>;

export function createSettle(
  storage: Pick<Storage<unknown>, 'transaction'>,
  runtime: Runtime,
  options: Partial<BatcherOptions>,
): Settle {
  return createBatcher((calls) => storage.transaction((tx) => settleAll(tx, calls, runtime)), options);
}

interface Decided {
  readonly kind: 'decided';
  readonly call: Settlement;
  readonly leased: LeasedEndpoint;
  readonly decision: SettlementDecision;
}

type Undecided = Exclude<Settled, { kind: 'settled' }>;

/** Records the attempts of any number of endpoints with the same number of statements. */
async function settleAll(
  tx: Repositories,
  calls: readonly Settlement[],
  { ids }: Runtime,
): Promise<readonly Settled[]> {
  const [leased, rows] = await Promise.all([
    tx.endpoints.findLeased(calls.map(({ keyId, token }) => ({ keyId, token }))),
    // The rows are read after the locking statement, so that they are current.
    tx.deliveries.findEach(calls.flatMap(rowsOf)),
  ]);
  const stored = new Map(rows.flatMap((row) => (row === null ? [] : [[row.eventId, row]])));
  const decided = calls.map((call, index) => decide(call, leased[index] ?? null, stored, ids));
  const kept = decided.filter((each) => each.kind === 'decided');
  await Promise.all([
    tx.endpoints.settle(kept.filter(hasChanged).map(toSettlement)),
    tx.deliveries.save(kept.flatMap(({ decision }) => decision.deliveries)),
    tx.evidence.append(kept.map(toEvidence)),
    tx.alerts.add(kept.flatMap(({ decision }) => decision.alerts)),
    tx.audit.add(kept.flatMap(({ leased, decision }) => pauseEntry(leased.endpoint, decision.endpoint, ids))),
  ]);
  return decided.map(toSettled);
}

function rowsOf({ keyId, ended }: Settlement) {
  return ended.filter(({ hasRow }) => hasRow).map(({ delivery: { eventId } }) => ({ keyId, eventId }));
}

function decide(
  call: Settlement,
  leased: LeasedEndpoint | 'busy' | null,
  stored: ReadonlyMap<EventId, StoredDelivery>,
  ids: Runtime['ids'],
): Decided | Undecided {
  if (leased === null) return { kind: 'lost' };
  if (leased === 'busy') return { kind: 'busy' };
  const decision = decideSettlement(leased, stored, call, () => ids.next('alert'));
  return { kind: 'decided', call, leased, decision };
}

function hasChanged({ call, leased, decision }: Decided): boolean {
  const { health, state } = leased.endpoint;
  if (call.release || decision.watermark > leased.watermark) return true;
  return health !== decision.endpoint.health || state !== decision.endpoint.state;
}

function toSettlement({ call, decision }: Decided): EndpointSettlement {
  const { keyId, token, release } = call;
  const { state, health } = decision.endpoint;
  return { keyId, token, release, state, health, watermark: decision.watermark };
}

function toEvidence({ call: { keyId }, decision: { successes } }: Decided): EvidenceBatch {
  return { keyId, kind: 'first_attempts', successes };
}

function toSettled(decided: Decided | Undecided): Settled {
  if (decided.kind !== 'decided') return decided;
  const { endpoint, passed } = decided.decision;
  return { kind: 'settled', endpoint, passed };
}

function pauseEntry(
  before: StoredEndpoint,
  { keyId, state }: StoredEndpoint,
  ids: Runtime['ids'],
): readonly NewAuditEntry[] {
  if (before.state.kind === 'paused' || state.kind !== 'paused') return [];
  return [
    {
      id: ids.next('audit'),
      at: state.pausedAt,
      actor: systemActor('auto-pause'),
      act: 'endpoints.pause',
      allObjects: [{ kind: 'endpoint', id: keyId }],
      keyId,
      count: null,
      filter: null,
      before: pauseFields(null),
      after: pauseFields(state.reason),
    },
  ];
}

interface SettlementDecision {
  readonly endpoint: StoredEndpoint;
  readonly watermark: Instant;
  readonly deliveries: readonly StoredDelivery[];
  /** The first-attempt successes of events without a row. */
  readonly successes: readonly EventSuccess[];
  readonly passed: readonly StoredDelivery[];
  readonly alerts: readonly NewAlert[];
}

/**
 * Decides what to record. The watermark advances to the last ended event. Unfinished events before it get a
 * row. An attempt counts only if its delivery has not changed meanwhile, except by a cancellation. Contract: 12.
 * @param stored - the current delivery rows, for the attempts that have one.
 */
export function decideSettlement(
  leased: LeasedEndpoint,
  stored: ReadonlyMap<EventId, StoredDelivery>,
  { ended, unfinished }: SenderReport,
  nextAlertId: () => AlertId,
): SettlementDecision {
  const deliveries: StoredDelivery[] = [];
  const successes: EventSuccess[] = [];
  const alerts: NewAlert[] = [];
  let { endpoint, watermark } = leased;

  for (const attempt of ended) {
    if (!isCurrent(attempt, leased.watermark, stored)) continue;
    if (!attempt.hasRow) watermark = Math.max(watermark, attempt.delivery.eventAt);
    // Most events succeed on the first attempt and need no row.
    const success = attempt.hasRow ? null : firstSuccess(attempt);
    if (success !== null) {
      successes.push(success);
    } else {
      const delivery = afterAttempt(storedOf(attempt, stored), attempt, attempt.random);
      deliveries.push(delivery);
      if (delivery.state === 'dead') {
        const told = tellOfDeadLetter(endpoint, attempt.endedAt);
        alerts.push(deadAlert(delivery, endpoint, { id: nextAlertId(), at: attempt.endedAt, told }));
        endpoint = told ?? endpoint;
      }
    }

    if (!concerns(endpoint, attempt)) continue;
    const before = endpoint;
    endpoint = endpointAfter(before, attempt);
    const warned = warnByFailures(endpoint, attempt.endedAt);
    if (warned !== null) {
      alerts.push(...nearPauseAlert(warned, attempt.endedAt, nextAlertId));
      endpoint = warned;
    }
    const paused = pausedAlert(before, endpoint, nextAlertId);
    if (paused !== null) alerts.push(paused);
    const recovered = recoveredAlert(before, endpoint, nextAlertId);
    if (recovered !== null) alerts.push(recovered);
  }

  const passed = unfinished
    .filter(({ hasRow, delivery }) => !hasRow && delivery.eventAt < watermark)
    .map(({ delivery }) => delivery);
  // Events up to the old watermark already have a row, which an operator may have changed.
  const newRows = passed.filter(({ eventAt }) => eventAt > leased.watermark);
  return { endpoint, watermark, deliveries: [...deliveries, ...newRows], successes, passed, alerts };
}

function firstSuccess({ delivery, outcome, endedAt, latencyMs }: EndedAttempt): EventSuccess | null {
  if (outcome.kind !== 'answered' || !isSuccess(outcome)) return null;
  // Its row says why the answer is odd.
  if (outcome.oddAnswer !== undefined) return null;
  const { eventAt } = delivery;
  return { eventAt, deliveredAt: endedAt, status: outcome.status, latencyMs, attempts: 1, cycle: 1 };
}

/** Returns whether the attempt counts for the endpoint's health. A failure at a former URL does not. */
export function concerns(
  endpoint: Pick<StoredEndpoint, 'url'>,
  { url, outcome }: Pick<EndedAttempt, 'url' | 'outcome'>,
): boolean {
  return url === endpoint.url || isSuccess(outcome);
}

/**
 * Returns whether the attempt still counts. It must not count twice after a repeated record or an operator's
 * change.
 */
function isCurrent(
  attempt: EndedAttempt,
  watermark: Instant,
  stored: ReadonlyMap<EventId, StoredDelivery>,
): boolean {
  const { delivery, hasRow } = attempt;
  if (!hasRow) return delivery.eventAt > watermark;
  const row = stored.get(delivery.eventId);
  if (row === undefined || (row.state !== 'pending' && row.state !== 'cancelled')) return false;
  if (row.cycle === delivery.cycle) return row.attempts === delivery.attempts;
  return row.attempts === 0 && beganAfter(row.dueAt, attempt);
}

/** Returns whether the attempt began after the resend. If it did, it belongs to the new cycle. */
function beganAfter(resentAt: Instant | null, { endedAt, latencyMs }: EndedAttempt): boolean {
  return resentAt !== null && endedAt - latencyMs > resentAt;
}

function storedOf(
  { delivery, hasRow }: TrackedDelivery,
  stored: ReadonlyMap<EventId, StoredDelivery>,
): StoredDelivery {
  return (hasRow ? stored.get(delivery.eventId) : undefined) ?? delivery;
}
