import type { EndpointRepository, EndpointSettlement, Instant, KeyId } from '@partner-hiring/core/ports';
import { sql } from 'kysely';
import type { Columns, JsonRows } from '../../dialect.js';
import { leaseClock } from '../../lease-clock.js';
import type { Prepare } from '../../preparation.js';
import { define, type Param, WRITTEN } from '../../statement.js';
import { fromProgress, type ProgressRow } from './endpoint-rows.js';
import { HOLDING_COLUMNS, type HoldingItem, toHoldingItem } from './holding-rows.js';

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

/** How far endpoints have come, and the end of their leases. */
export const prepareSettleEndpoints: Prepare<
  Pick<EndpointRepository, 'settle' | 'release' | 'advanceWatermark'>
> = (preparation) => {
  const { queries, items, now } = preparation;
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
  const advanceWatermark = define((param: Param<{ keyId: KeyId; watermark: Instant; now: Instant }>) =>
    queries
      .updateTable('ph_endpoint')
      .set((eb) => ({ watermark: param('watermark'), lease_token: null, lease_until: eb.lit(0) }))
      .where('key_id', '=', param('keyId'))
      .where('lease_until', '<=', leaseClock(preparation, param('now')))
      .where('watermark', '<', param('watermark'))
      .returning(WRITTEN),
  );

  return (session) => ({
    settle: (settlements) =>
      session.write(async (run) => {
        await run.batch(settle, settlements.map(toSettlementItem), {});
      }),
    release: (holdings) =>
      session.write(async (run) => {
        await run.batch(release, holdings.map(toHoldingItem), {});
      }),
    advanceWatermark: (keyId, watermark) =>
      session.write(
        async (run) => (await run.count(advanceWatermark, { keyId, watermark, now: now() })) === 1,
      ),
  });
};

function toSettlementItem(settlement: EndpointSettlement): SettlementItem {
  const { watermark, release } = settlement;
  return { ...toHoldingItem(settlement), ...fromProgress(settlement), watermark, keep: release ? 0 : 1 };
}
