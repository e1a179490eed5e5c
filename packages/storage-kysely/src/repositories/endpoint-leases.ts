import type {
  EndpointRepository,
  EndpointSettlement,
  Holding,
  Instant,
  KeyId,
} from '@partner-hiring/core/ports';
import { sql } from 'kysely';
import type { Columns, JsonRows } from '../dialect.js';
import { inOrder, pairKey } from '../in-order.js';
import type { Preparation, Prepare } from '../preparation.js';
import type { EndpointTable } from '../schema.js';
import type { Run } from '../session.js';
import { define, type Param } from '../statement.js';
import { fromProgress, type ProgressRow, toLeasedEndpoint } from './endpoint-rows.js';

type LeaseMethods = 'lease' | 'renew' | 'findLeased' | 'settle' | 'release';

interface HoldingItem {
  readonly key_id: KeyId;
  readonly token: string;
}

const HOLDING_COLUMNS: Columns<HoldingItem> = { key_id: 'text', token: 'text' };

interface RenewalItem extends HoldingItem {
  readonly until: Instant;
}

interface SettlementItem extends HoldingItem, ProgressRow {
  readonly watermark: Instant;
  /** 0 gives the lease back, 1 keeps it. */
  readonly keep: 0 | 1;
}

const SETTLEMENT_COLUMNS: Columns<SettlementItem> = {
  ...HOLDING_COLUMNS,
  state: 'text',
  paused_reason: 'text',
  paused_at: 'integer',
  consecutive_failures: 'integer',
  first_failure_at: 'integer',
  last_success_at: 'integer',
  watermark: 'integer',
  keep: 'integer',
};

/** The leases of endpoints: who sends an endpoint's events, and how far it has come. */
export const prepareEndpointLeases: Prepare<Pick<EndpointRepository, LeaseMethods>> = (preparation) => {
  const { queries, items, lockRows } = preparation;

  const takeWaiting =
    preparation.batches.kind === 'one_by_one' ? takeInSteps(preparation) : takeAtOnce(preparation);
  const renew = define((param: Param<{ rows: JsonRows<RenewalItem> }>) =>
    queries
      .updateTable('ph_endpoint')
      .from(items(param('rows'), { ...HOLDING_COLUMNS, until: 'integer' }))
      .set((eb) => ({ lease_until: eb.ref('item.until') }))
      .whereRef('ph_endpoint.key_id', '=', 'item.key_id')
      .whereRef('ph_endpoint.lease_token', '=', 'item.token')
      .returning('ph_endpoint.key_id'),
  );
  const findLeased = define((param: Param<{ rows: JsonRows<HoldingItem> }>) =>
    queries
      .selectFrom('ph_endpoint')
      .selectAll()
      .where((where) =>
        where(
          where.refTuple('key_id', 'lease_token'),
          'in',
          where
            .selectFrom(items(param('rows'), HOLDING_COLUMNS))
            .select(['item.key_id', 'item.token'])
            .$asTuple('key_id', 'token'),
        ),
      )
      .orderBy('key_id')
      .$call(lockRows),
  );
  const settle = define((param: Param<{ rows: JsonRows<SettlementItem> }>) =>
    queries
      .updateTable('ph_endpoint')
      .from(items(param('rows'), SETTLEMENT_COLUMNS))
      .set((eb) => ({
        state: eb.ref('item.state'),
        paused_reason: eb.ref('item.paused_reason'),
        paused_at: eb.ref('item.paused_at'),
        consecutive_failures: eb.ref('item.consecutive_failures'),
        first_failure_at: eb.ref('item.first_failure_at'),
        last_success_at: eb.ref('item.last_success_at'),
        watermark: eb
          .case()
          .when('item.watermark', '>', eb.ref('ph_endpoint.watermark'))
          .then(eb.ref('item.watermark'))
          .else(eb.ref('ph_endpoint.watermark'))
          .end(),
        lease_token: eb.case().when('item.keep', '=', 1).then(eb.ref('ph_endpoint.lease_token')).end(),
        lease_until: sql<number>`${eb.ref('ph_endpoint.lease_until')} * ${eb.ref('item.keep')}`,
      }))
      .whereRef('ph_endpoint.key_id', '=', 'item.key_id')
      .whereRef('ph_endpoint.lease_token', '=', 'item.token'),
  );
  const release = define((param: Param<{ rows: JsonRows<HoldingItem> }>) =>
    queries
      .updateTable('ph_endpoint')
      .from(items(param('rows'), HOLDING_COLUMNS))
      .set((eb) => ({ lease_token: null, lease_until: eb.lit(0) }))
      .whereRef('ph_endpoint.key_id', '=', 'item.key_id')
      .whereRef('ph_endpoint.lease_token', '=', 'item.token'),
  );

  return (session) => ({
    lease: ({ token, until }, now, limit) =>
      session.writeRelaxed(async (run) => {
        const rows = await takeWaiting(run, { token, until, now, limit });
        return rows.map(toLeasedEndpoint);
      }),
    renew: (leases) =>
      session.write(async (run) => {
        const renewals = leases.map((each) => ({ ...toItem(each), until: each.until }));
        const { rows } = await run.batch(renew, renewals, {});
        return rows.map((row) => row.key_id);
      }),
    findLeased: (holdings) =>
      session.read(async (run) => {
        const { rows } = await run.batch(findLeased, holdings.map(toItem), {});
        return inOrder(
          holdings.map(({ keyId, token }) => pairKey(keyId, token)),
          rows,
          (row) => pairKey(row.key_id, row.lease_token ?? ''),
          toLeasedEndpoint,
        );
      }),
    settle: (settlements) =>
      session.write(async (run) => {
        await run.batch(settle, settlements.map(toSettlementItem), {});
      }),
    release: (holdings) =>
      session.write(async (run) => {
        await run.batch(release, holdings.map(toItem), {});
      }),
  });
};

interface LeaseParams {
  readonly token: string;
  readonly until: Instant;
  readonly now: Instant;
  readonly limit: number;
}

type TakeWaiting = (run: Run, params: LeaseParams) => Promise<readonly EndpointTable[]>;

/** Inside the process: finds, then takes. Nobody else writes meanwhile. */
function takeInSteps(preparation: Preparation): TakeWaiting {
  const find = define((param: Param<LeaseParams>) => findWaiting(preparation, param).selectAll('endpoint'));
  const take = define((param: Param<LeaseParams & { rows: JsonRows<{ key_id: KeyId }> }>) =>
    preparation.queries
      .updateTable('ph_endpoint')
      .from(preparation.items(param('rows'), { key_id: 'text' }))
      .set({ lease_token: param('token'), lease_until: param('until'), leased_at: param('now') })
      .whereRef('ph_endpoint.key_id', '=', 'item.key_id'),
  );
  return async (run, params) => {
    const waiting = await run.all(find, params);
    const taken = waiting.map((row) => ({ key_id: row.key_id }));
    await run.batch(take, taken, params);
    return waiting;
  };
}

/** On a server: one statement, which is a transaction by itself. */
function takeAtOnce(preparation: Preparation): TakeWaiting {
  const take = define((param: Param<LeaseParams>) =>
    preparation.queries
      .with('waiting', () =>
        findWaiting(preparation, param).select(['endpoint.key_id', 'endpoint.leased_at']),
      )
      .updateTable('ph_endpoint')
      .from('waiting')
      .set({ lease_token: param('token'), lease_until: param('until'), leased_at: param('now') })
      .whereRef('ph_endpoint.key_id', '=', 'waiting.key_id')
      .returningAll('ph_endpoint')
      .returning('waiting.leased_at as waited_since'),
  );
  return async (run, params) => {
    const taken = await run.all(take, params);
    return [...taken].sort((a, b) => a.waited_since - b.waited_since || (a.key_id < b.key_id ? -1 : 1));
  };
}

/**
 * Endpoints with work due that nobody holds, those that waited longest first.
 *
 * Probes one row of each log and of what is due, by index: a backlog of any length costs no more than one
 * event. Values rather than `exists`, which a planner may answer by reading all that is due.
 */
function findWaiting({ queries, lockFreeRows }: Preparation, param: Param<LeaseParams>) {
  return queries
    .selectFrom('ph_endpoint as endpoint')
    .where('endpoint.state', '=', sql.lit('active'))
    .where('endpoint.lease_until', '<=', param('now'))
    .where((where) =>
      where.or([
        where(
          where
            .selectFrom('ph_event as event')
            .select('event.at')
            .whereRef('event.key_id', '=', 'endpoint.key_id')
            .orderBy('event.at', 'desc')
            .limit(sql.lit(1)),
          '>',
          where.ref('endpoint.watermark'),
        ),
        where(
          where
            .selectFrom('ph_delivery as delivery')
            .select('delivery.due_at')
            .whereRef('delivery.key_id', '=', 'endpoint.key_id')
            .where('delivery.state', '=', sql.lit('pending'))
            .orderBy('delivery.due_at')
            .limit(sql.lit(1)),
          '<=',
          param('now'),
        ),
      ]),
    )
    .orderBy('endpoint.leased_at')
    .orderBy('endpoint.key_id')
    .limit(param('limit'))
    .$call(lockFreeRows);
}

function toItem({ keyId, token }: Holding): HoldingItem {
  return { key_id: keyId, token };
}

function toSettlementItem(settlement: EndpointSettlement): SettlementItem {
  const { watermark, release } = settlement;
  return { ...toItem(settlement), ...fromProgress(settlement), watermark, keep: release ? 0 : 1 };
}
