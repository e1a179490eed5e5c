import { type Batcher, type BatcherOptions, createBatcher } from '../batcher.js';
import type { Delivery } from '../domain/delivery.js';
import type { Endpoint } from '../domain/endpoint.js';
import type { EventId } from '../domain/ids.js';
import type { EndpointSettlement, Holding, LeasedEndpoint } from '../ports/repositories/endpoints.js';
import type { Runtime } from '../ports/runtime.js';
import type { Repositories, Storage } from '../ports/storage.js';
import { decideSettlement, type SenderReport, type SettlementDecision } from './settle/settlement.js';

/** One lane's report, under its lease. */
export interface Settlement extends SenderReport, Holding {
  /** Gives the lease back in the same commit: the lane ends. */
  readonly release: boolean;
}

/** What became of it. */
export type Settled =
  /** The lease is another's: nothing was recorded, and the lane has no say any more. */
  | { readonly kind: 'lost' }
  /** Another transaction, such as a host's, is changing the endpoint: nothing was recorded yet. */
  | { readonly kind: 'busy' }
  | {
      readonly kind: 'settled';
      /** As it now stands, with what the operator changed meanwhile. */
      readonly endpoint: Endpoint;
      /** The new rows of what is unfinished. */
      readonly passed: readonly Delivery[];
    };

/** Records what lanes report. */
export type Settle = Batcher<Settlement, Settled>;

/** Builds the group: one transaction settles what many endpoints' lanes report at the same time. */
export function createSettle(
  storage: Pick<Storage<unknown>, 'transaction'>,
  runtime: Runtime,
  options: Partial<BatcherOptions>,
): Settle {
  return createBatcher((calls) => storage.transaction((tx) => settleAll(tx, calls, runtime)), options);
}

/** An endpoint whose lease was not lost, with what to write. */
interface Decided {
  readonly kind: 'decided';
  readonly call: Settlement;
  readonly leased: LeasedEndpoint;
  readonly decision: SettlementDecision;
}

/** An endpoint of which nothing can be recorded, at least for now. */
type Undecided = Exclude<Settled, { kind: 'settled' }>;

/** As many statements for one endpoint as for all: two that read, and up to three that write. */
async function settleAll(
  tx: Repositories,
  calls: readonly Settlement[],
  { ids }: Runtime,
): Promise<readonly Settled[]> {
  const [leased, rows] = await Promise.all([
    tx.endpoints.findLeased(calls.map(({ keyId, token }) => ({ keyId, token }))),
    // Sent behind the statement that locks, so that it sees what others did to the rows before.
    tx.deliveries.findEach(calls.flatMap(rowsOf)),
  ]);
  const stored = new Map(rows.flatMap((row) => (row === null ? [] : [[row.eventId, row]])));
  const decided = calls.map((call, index) => decide(call, leased[index] ?? null, stored, ids));
  const kept = decided.filter((each) => each.kind === 'decided');
  await Promise.all([
    tx.endpoints.settle(kept.filter(hasChanged).map(toSettlement)),
    tx.deliveries.save(kept.flatMap(({ decision }) => decision.deliveries)),
    tx.alerts.add(kept.flatMap(({ decision }) => decision.alerts)),
  ]);
  return decided.map(toSettled);
}

/** The deliveries that have a row and were attempted. */
function rowsOf({ keyId, ended }: Settlement) {
  return ended.filter(({ hasRow }) => hasRow).map(({ delivery: { eventId } }) => ({ keyId, eventId }));
}

function decide(
  call: Settlement,
  leased: LeasedEndpoint | 'busy' | null,
  stored: ReadonlyMap<EventId, Delivery>,
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

function toSettled(decided: Decided | Undecided): Settled {
  if (decided.kind !== 'decided') return decided;
  const { endpoint, passed } = decided.decision;
  return { kind: 'settled', endpoint, passed };
}
