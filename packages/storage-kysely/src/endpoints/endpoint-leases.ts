import type {
  EndpointRepository,
  EndpointSettlement,
  Holding,
  Instant,
  KeyId,
  LeasedEndpoint,
} from '@partner-hiring/core/ports';
import { type RawBuilder, sql } from 'kysely';
import { columnsOfItem, writeEach } from '../batch.js';
import type { JsonRows } from '../dialect.js';
import { leaseClock, leaseEnd } from '../lease-clock.js';
import { inOrder, pairKey } from '../mapping.js';
import type { Preparation, Prepare } from '../preparation.js';
import type { Run } from '../session.js';
import { define, type Param, WRITTEN } from '../statement.js';
import { maySend, type SenderParams, senderParams } from '../system/deployment.js';
import type { Row, TableColumns } from '../table.js';
import { ENDPOINTS } from '../tables/index.js';
import { prepareTakeWaiting } from './take-waiting-endpoints.js';

/** The columns that the host changes too. */
export const SAVED_ENDPOINTS = ENDPOINTS.omit(
  'log_start',
  'watermark',
  'leased_at',
  'lease_token',
  'lease_until',
);

/** The columns that a delivery attempt changes. */
export const PROGRESS = SAVED_ENDPOINTS.omit(
  'key_id',
  'url',
  'secrets',
  'created_at',
  'resumed_at',
  'replaced_url',
);

export function toLeasedEndpoint(row: Row<typeof ENDPOINTS>): LeasedEndpoint {
  return { endpoint: ENDPOINTS.toValue(row), watermark: row.watermark };
}

export interface HoldingItem {
  readonly key_id: KeyId;
  readonly token: string;
}

export const HOLDING_COLUMNS: TableColumns<HoldingItem> = { key_id: 'text', token: 'text' };

export function toHoldingItem({ keyId, token }: Holding): HoldingItem {
  return { key_id: keyId, token };
}

type LeaseMethods = 'lease' | 'renew' | 'findLeased';

interface RenewalItem extends HoldingItem {
  readonly for_ms: number;
}

const RENEWAL_COLUMNS: TableColumns<RenewalItem> = { ...HOLDING_COLUMNS, for_ms: 'integer' };

export const prepareEndpointLeases: Prepare<Pick<EndpointRepository, LeaseMethods>> = (preparation) => {
  const { queries, items, lockFreeRows, now } = preparation;

  const takeWaiting = prepareTakeWaiting(preparation);
  const renew = define((param: Param<{ rows: JsonRows<RenewalItem>; now: Instant } & SenderParams>) =>
    queries
      .with('free', () => selectHeld(preparation, param('rows')).select('key_id').$call(lockFreeRows))
      .updateTable('ph_endpoint')
      .from(items(param('rows'), RENEWAL_COLUMNS))
      .innerJoin('free', 'free.key_id', 'item.key_id')
      .set((eb) => ({ lease_until: leaseEnd(preparation, param('now'), eb.ref('item.for_ms')) }))
      .whereRef('ph_endpoint.key_id', '=', 'item.key_id')
      .where(maySend(preparation, param as Param<SenderParams>), '=', sql.lit(1))
      .returning(['ph_endpoint.key_id', 'ph_endpoint.lease_token']),
  );
  const findHeld = define((param: Param<{ rows: JsonRows<HoldingItem> }>) =>
    selectHeld(preparation, param('rows')).select(['key_id', 'lease_token']),
  );
  const findLeased = define((param: Param<{ rows: JsonRows<HoldingItem> }>) =>
    selectHeld(preparation, param('rows')).selectAll().$call(lockFreeRows),
  );

  /**
   * Returns true for each lease that is still held, and null for each lost one. Call it after a statement that skips
   * locked rows, to learn which of the missing rows were only locked.
   */
  async function areHeld(run: Run, holdings: readonly Holding[]): Promise<readonly (true | null)[]> {
    const { rows } = await run.batch(findHeld, holdings.map(toHoldingItem), {});
    return inOrder(holdings.map(nameOf), rows, nameOfRow, () => true);
  }

  return {
    lease: (session, { token, forMs, deployment }, dueBy, limit, except = []) =>
      session.writeWithAsyncCommit(async (run) => {
        const times = { forMs, dueBy, now: now() };
        const sender = senderParams(preparation, deployment);
        const params = { token, ...times, limit, except: JSON.stringify(except), ...sender };
        const rows = await takeWaiting(run, params);
        return rows.map(toLeasedEndpoint);
      }),
    renew: (session, leases) =>
      session.write(async (run) => {
        const renewals = leases.map((each) => ({ ...toHoldingItem(each), for_ms: each.forMs }));
        const sender = senderParams(preparation, leases[0]?.deployment);
        const { rows } = await run.batch(renew, renewals, { now: now(), ...sender });
        const renewed = inOrder(leases.map(nameOf), rows, nameOfRow, () => 'held' as const);
        if (!renewed.includes(null)) return renewed.map(() => 'held');
        const held = await areHeld(run, leases);
        return renewed.map((state, index) => state ?? (held[index] === true ? 'busy' : 'lost'));
      }),
    findLeased: (session, holdings) =>
      session.read(async (run) => {
        const { rows } = await run.batch(findLeased, holdings.map(toHoldingItem), {});
        const found = inOrder(holdings.map(nameOf), rows, nameOfRow, toLeasedEndpoint);
        if (!found.includes(null)) return found;
        const held = await areHeld(run, holdings);
        return found.map((leased, index) => leased ?? (held[index] === true ? 'busy' : null));
      }),
  };
};

function selectHeld({ queries, items }: Preparation, rows: RawBuilder<JsonRows<HoldingItem>>) {
  return queries
    .selectFrom('ph_endpoint')
    .where((where) =>
      where(
        where.refTuple('key_id', 'lease_token'),
        'in',
        where
          .selectFrom(items(rows, HOLDING_COLUMNS))
          .select(['item.key_id', 'item.token'])
          .$asTuple('key_id', 'token'),
      ),
    );
}

function nameOf({ keyId, token }: Holding): string {
  return pairKey(keyId, token);
}

function nameOfRow(row: Pick<Row<typeof ENDPOINTS>, 'key_id' | 'lease_token'>): string {
  return pairKey(row.key_id, row.lease_token ?? '');
}

interface SettlementItem extends HoldingItem, Row<typeof PROGRESS> {
  readonly watermark: Instant;
  /** 0 releases the lease; 1 keeps it. */
  readonly keep: 0 | 1;
}

const SETTLEMENT_COLUMNS: TableColumns<SettlementItem> = {
  ...HOLDING_COLUMNS,
  ...PROGRESS.columns,
  watermark: 'integer',
  keep: 'integer',
};

export const prepareSettleEndpoints: Prepare<
  Pick<EndpointRepository, 'settle' | 'release' | 'advanceWatermark'>
> = (preparation) => {
  const { queries, items, now } = preparation;
  const settle = define((param: Param<{ rows: JsonRows<SettlementItem> }>) =>
    queries
      .updateTable('ph_endpoint')
      .from(items(param('rows'), SETTLEMENT_COLUMNS))
      .set((eb) => ({
        ...columnsOfItem(PROGRESS),
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
  const advanceWatermark = define((param: Param<{ keyId: KeyId; watermark: Instant; now: Instant }>) =>
    queries
      .updateTable('ph_endpoint')
      .set((eb) => ({ watermark: param('watermark'), lease_token: null, lease_until: eb.lit(0) }))
      .where('key_id', '=', param('keyId'))
      .where('lease_until', '<=', leaseClock(preparation, param('now')))
      .where('watermark', '<', param('watermark'))
      .returning(WRITTEN),
  );

  return {
    settle: writeEach(settle, toSettlementItem),
    release: writeEach(release, toHoldingItem),
    advanceWatermark: (session, keyId, watermark) =>
      session.write(
        async (run) => (await run.count(advanceWatermark, { keyId, watermark, now: now() })) === 1,
      ),
  };
};

function toSettlementItem(settlement: EndpointSettlement): SettlementItem {
  const { watermark, release } = settlement;
  return { ...toHoldingItem(settlement), ...PROGRESS.toRow(settlement), watermark, keep: release ? 0 : 1 };
}
