import type { Delivery } from '../domain/delivery.js';
import type { Endpoint } from '../domain/endpoint.js';
import type { EventId, KeyId } from '../domain/ids.js';
import { createGroup, type Group, type GroupOptions } from '../group.js';
import type { Repositories } from '../ports/repositories.js';
import type { Runtime } from '../ports/runtime.js';
import type { Storage } from '../ports/storage.js';
import { decideSettlement, type LaneReport, type SettlementDecision } from './settlement.js';

/** One lane's report, under its lease. */
export interface Settlement extends LaneReport {
  readonly keyId: KeyId;
  readonly token: string;
  /** Gives the lease back in the same commit: the lane ends. */
  readonly release: boolean;
}

/** What became of it. */
export type Settled =
  /** The lease is another's: nothing was recorded, and the lane has no say any more. */
  | { readonly kind: 'lost' }
  | {
      readonly kind: 'settled';
      /** As it now stands, with what the operator changed meanwhile. */
      readonly endpoint: Endpoint;
      /** The new rows of what is unfinished. */
      readonly passed: readonly Delivery[];
    };

/** Records what lanes report. */
export type Settle = Group<Settlement, Settled>;

/** Builds the group: one transaction settles what many endpoints' lanes report at the same time. */
export function createSettle(
  storage: Pick<Storage<unknown>, 'transaction'>,
  runtime: Runtime,
  options: Partial<GroupOptions>,
): Settle {
  return createGroup((calls) => storage.transaction((tx) => settleAll(tx, calls, runtime)), options);
}

async function settleAll(
  tx: Repositories,
  calls: readonly Settlement[],
  runtime: Runtime,
): Promise<readonly Settled[]> {
  const answers = new Map<Settlement, Settled>();
  const decisions: SettlementDecision[] = [];
  for (const call of inLockOrder(calls)) {
    const decision = await decide(tx, call, runtime);
    if (decision !== null) decisions.push(decision);
    answers.set(
      call,
      decision === null
        ? { kind: 'lost' }
        : { kind: 'settled', endpoint: decision.endpoint, passed: decision.passed },
    );
  }
  await tx.deliveries.save(decisions.flatMap(({ deliveries }) => deliveries));
  await tx.alerts.add(decisions.flatMap(({ alerts }) => alerts));
  return calls.map((call) => answers.get(call) ?? { kind: 'lost' });
}

/** Settles one endpoint but for what is written for all together; null if its lease was lost. */
async function decide(
  tx: Repositories,
  call: Settlement,
  { ids }: Runtime,
): Promise<SettlementDecision | null> {
  const { keyId, token } = call;
  const leased = await tx.endpoints.findLeased(keyId, token);
  if (leased === null) return null;
  const stored = await rowsOf(tx, call);
  const decision = decideSettlement(leased, stored, call, () => ids.next('alert'));
  if (hasChanged(leased.endpoint, decision.endpoint)) await tx.endpoints.save(decision.endpoint);
  if (decision.watermark > leased.watermark) {
    await tx.endpoints.moveWatermark(keyId, token, decision.watermark);
  }
  if (call.release) await tx.endpoints.release([keyId], token);
  return decision;
}

async function rowsOf(tx: Repositories, call: Settlement): Promise<ReadonlyMap<EventId, Delivery>> {
  const ids = call.ended.filter(({ hasRow }) => hasRow).map(({ delivery }) => delivery.eventId);
  const rows = ids.length === 0 ? [] : await tx.deliveries.find(call.keyId, ids);
  return new Map(rows.flatMap((row) => (row === null ? [] : [[row.eventId, row]])));
}

/** Two processes that settle the same endpoints lock them in the same order, so neither waits for the other. */
function inLockOrder(calls: readonly Settlement[]): readonly Settlement[] {
  return [...calls].sort((a, b) => (a.keyId < b.keyId ? -1 : 1));
}

function hasChanged(before: Endpoint, after: Endpoint): boolean {
  return before.health !== after.health || before.state !== after.state;
}
