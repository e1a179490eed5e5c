import type { EndpointRepository, Instant, KeyId } from '@partner-hiring/core/ports';
import { sql } from 'kysely';
import type { JsonRows } from '../dialect.js';
import type { Prepare } from '../preparation.js';
import { define, type Param } from '../statement.js';
import { toLeasedEndpoint } from './endpoint-rows.js';

type LeaseMethods = 'lease' | 'renew' | 'findLeased' | 'moveWatermark' | 'release';

interface KeyItem {
  readonly key_id: KeyId;
}

interface LeaseParams {
  readonly rows: JsonRows<KeyItem>;
  readonly token: string;
  readonly until: Instant;
}

/** The leases of endpoints: who sends an endpoint's events, and how far it has come. */
export const prepareEndpointLeases: Prepare<Pick<EndpointRepository, LeaseMethods>> = (preparation) => {
  const { queries, items, lockRows, lockFreeRows } = preparation;

  // A probe of one row each: a backlog of any length costs no more than one event.
  const findWaiting = define((param: Param<{ now: Instant; limit: number }>) =>
    queries
      .selectFrom('ph_endpoint as endpoint')
      .selectAll('endpoint')
      .where('endpoint.state', '=', sql.lit('active'))
      .where('endpoint.lease_until', '<=', param('now'))
      .where((where) =>
        where.or([
          where.exists(
            where
              .selectFrom('ph_event as event')
              .select('event.at')
              .whereRef('event.key_id', '=', 'endpoint.key_id')
              .whereRef('event.at', '>', 'endpoint.watermark'),
          ),
          where.exists(
            where
              .selectFrom('ph_delivery as delivery')
              .select('delivery.due_at')
              .whereRef('delivery.key_id', '=', 'endpoint.key_id')
              .where('delivery.state', '=', sql.lit('pending'))
              .where('delivery.due_at', '<=', param('now')),
          ),
        ]),
      )
      .orderBy('endpoint.leased_at')
      .orderBy('endpoint.key_id')
      .limit(param('limit'))
      .$call(lockFreeRows),
  );
  const lease = define((param: Param<LeaseParams & { now: Instant }>) =>
    queries
      .updateTable('ph_endpoint')
      .from(items(param('rows'), { key_id: 'text' }))
      .set({ lease_token: param('token'), lease_until: param('until'), leased_at: param('now') })
      .whereRef('ph_endpoint.key_id', '=', 'item.key_id'),
  );
  const renew = define((param: Param<LeaseParams>) =>
    queries
      .updateTable('ph_endpoint')
      .from(items(param('rows'), { key_id: 'text' }))
      .set({ lease_until: param('until') })
      .whereRef('ph_endpoint.key_id', '=', 'item.key_id')
      .where('ph_endpoint.lease_token', '=', param('token'))
      .returning('ph_endpoint.key_id'),
  );
  const findLeased = define((param: Param<{ keyId: KeyId; token: string }>) =>
    queries
      .selectFrom('ph_endpoint')
      .selectAll()
      .where('key_id', '=', param('keyId'))
      .where('lease_token', '=', param('token'))
      .$call(lockRows),
  );
  const moveWatermark = define((param: Param<{ keyId: KeyId; token: string; watermark: Instant }>) =>
    queries
      .updateTable('ph_endpoint')
      .set({ watermark: param('watermark') })
      .where('key_id', '=', param('keyId'))
      .where('lease_token', '=', param('token'))
      .where('watermark', '<', param('watermark')),
  );
  const release = define((param: Param<{ rows: JsonRows<KeyItem>; token: string }>) =>
    queries
      .updateTable('ph_endpoint')
      .from(items(param('rows'), { key_id: 'text' }))
      .set((eb) => ({ lease_token: null, lease_until: eb.lit(0) }))
      .whereRef('ph_endpoint.key_id', '=', 'item.key_id')
      .where('ph_endpoint.lease_token', '=', param('token')),
  );

  return (session) => ({
    lease: ({ token, until }, now, limit) =>
      session.write(async (run) => {
        const waiting = await run.all(findWaiting, { now, limit });
        const taken = waiting.map((row) => ({ key_id: row.key_id }));
        await run.batch(lease, taken, { token, until, now });
        return waiting.map(toLeasedEndpoint);
      }),
    renew: (keyIds, { token, until }) =>
      session.write(async (run) => {
        const { rows } = await run.batch(renew, keyIds.map(toItem), { token, until });
        return rows.map((row) => row.key_id);
      }),
    findLeased: (keyId, token) =>
      session.read(async (run) => {
        const row = await run.first(findLeased, { keyId, token });
        return row === null ? null : toLeasedEndpoint(row);
      }),
    moveWatermark: (keyId, token, watermark) =>
      session.write(async (run) => {
        await run.changes(moveWatermark, { keyId, token, watermark });
      }),
    release: (keyIds, token) =>
      session.write(async (run) => {
        await run.batch(release, keyIds.map(toItem), { token });
      }),
  });
};

function toItem(keyId: KeyId): KeyItem {
  return { key_id: keyId };
}
