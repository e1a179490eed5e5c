import type { EndpointRepository, Instant, KeyId } from '@partner-hiring/core/ports';
import type { JsonRows } from '../dialect.js';
import { inOrder } from '../in-order.js';
import { leaseClock } from '../lease-clock.js';
import type { Prepare } from '../preparation.js';
import { define, type Param } from '../statement.js';
import { prepareEndpointBacklogs } from './endpoints/endpoint-backlogs.js';
import { prepareEndpointLeases } from './endpoints/endpoint-leases.js';
import { type EndpointRow, fromEndpoint, toEndpoint } from './endpoints/endpoint-rows.js';

/** Endpoints. Their leases, their backlog, and what a worker looks for, have files of their own. */
export const prepareEndpoints: Prepare<Omit<EndpointRepository, 'look'>> = (preparation) => {
  const { queries, items, lockRows, now } = preparation;
  const bindLeases = prepareEndpointLeases(preparation);
  const bindBacklogs = prepareEndpointBacklogs(preparation);

  const find = define((param: Param<{ keyId: KeyId }>) =>
    queries.selectFrom('ph_endpoint').selectAll().where('key_id', '=', param('keyId')),
  );
  const findEach = define((param: Param<{ rows: JsonRows<{ key_id: KeyId }> }>) =>
    queries
      .selectFrom('ph_endpoint')
      .selectAll()
      .where(
        'key_id',
        'in',
        queries.selectFrom(items(param('rows'), { key_id: 'text' })).select('item.key_id'),
      ),
  );
  const findForUpdate = define((param: Param<{ keyId: KeyId }>) =>
    queries.selectFrom('ph_endpoint').selectAll().where('key_id', '=', param('keyId')).$call(lockRows),
  );
  const save = define((param: Param<EndpointRow>) =>
    queries
      .insertInto('ph_endpoint')
      .values((eb) => ({
        key_id: param('key_id'),
        url: param('url'),
        state: param('state'),
        paused_reason: param('paused_reason'),
        paused_at: param('paused_at'),
        consecutive_failures: param('consecutive_failures'),
        first_failure_at: param('first_failure_at'),
        last_success_at: param('last_success_at'),
        secrets: param('secrets'),
        created_at: param('created_at'),
        watermark: eb
          .selectFrom('ph_feed_head')
          .select('at')
          .where('key_id', '=', param('key_id'))
          .$asScalar()
          .$notNull(),
        lease_until: eb.lit(0),
        leased_at: eb.lit(0),
      }))
      .onConflict((conflict) =>
        conflict.column('key_id').doUpdateSet((eb) => ({
          url: eb.ref('excluded.url'),
          state: eb.ref('excluded.state'),
          paused_reason: eb.ref('excluded.paused_reason'),
          paused_at: eb.ref('excluded.paused_at'),
          consecutive_failures: eb.ref('excluded.consecutive_failures'),
          first_failure_at: eb.ref('excluded.first_failure_at'),
          last_success_at: eb.ref('excluded.last_success_at'),
          secrets: eb.ref('excluded.secrets'),
          created_at: eb.ref('excluded.created_at'),
        })),
      ),
  );
  const list = define(() =>
    queries.selectFrom('ph_endpoint').selectAll().orderBy('created_at').orderBy('key_id'),
  );
  const withEndpoint = define((param: Param<{ rows: JsonRows<{ key_id: KeyId }> }>) =>
    queries
      .selectFrom(items(param('rows'), { key_id: 'text' }))
      .innerJoin('ph_endpoint as endpoint', 'endpoint.key_id', 'item.key_id')
      .select('endpoint.key_id'),
  );

  const passThrough = define((param: Param<{ keyId: KeyId; watermark: Instant; now: Instant }>) =>
    queries
      .updateTable('ph_endpoint')
      .set((eb) => ({ watermark: param('watermark'), lease_token: null, lease_until: eb.lit(0) }))
      .where('key_id', '=', param('keyId'))
      .where('lease_until', '<=', leaseClock(preparation, param('now')))
      .where('watermark', '<', param('watermark')),
  );

  return (session) => ({
    ...bindLeases(session),
    ...bindBacklogs(session),
    find: (keyId) =>
      session.read(async (run) => {
        const row = await run.first(find, { keyId });
        return row === null ? null : toEndpoint(row);
      }),
    findEach: (keyIds) =>
      session.read(async (run) => {
        const asked = keyIds.map((id) => ({ key_id: id }));
        const { rows } = await run.batch(findEach, asked, {});
        return inOrder(keyIds, rows, (row) => row.key_id, toEndpoint);
      }),
    findForUpdate: (keyId) =>
      session.read(async (run) => {
        const row = await run.first(findForUpdate, { keyId });
        return row === null ? null : toEndpoint(row);
      }),
    save: (endpoint) => session.write(async (run) => void (await run.changes(save, fromEndpoint(endpoint)))),
    passThrough: (keyId, watermark) =>
      session.write(async (run) => (await run.changes(passThrough, { keyId, watermark, now: now() })) === 1),
    list: () => session.read(async (run) => (await run.all(list, {})).map(toEndpoint)),
    withEndpoint: (keyIds) =>
      session.read(async (run) => {
        const asked = keyIds.map((id) => ({ key_id: id }));
        const { rows } = await run.batch(withEndpoint, asked, {});
        return new Set(rows.map((row) => row.key_id));
      }),
  });
};
