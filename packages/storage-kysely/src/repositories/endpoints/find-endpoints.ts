import type { EndpointRepository, KeyId } from '@partner-hiring/core/ports';
import type { JsonRows } from '../../dialect.js';
import { inOrder } from '../../in-order.js';
import type { Prepare } from '../../preparation.js';
import { define, type Param } from '../../statement.js';
import { toEndpoint } from './endpoint-rows.js';

type FindMethods = 'find' | 'findEach' | 'findForUpdate' | 'list' | 'withEndpoint';

/** Endpoints, one, some or all. */
export const prepareFindEndpoints: Prepare<Pick<EndpointRepository, FindMethods>> = (preparation) => {
  const { queries, items, lockRows } = preparation;
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
  const list = define(() =>
    queries.selectFrom('ph_endpoint').selectAll().orderBy('created_at').orderBy('key_id'),
  );
  const withEndpoint = define((param: Param<{ rows: JsonRows<{ key_id: KeyId }> }>) =>
    queries
      .selectFrom(items(param('rows'), { key_id: 'text' }))
      .innerJoin('ph_endpoint as endpoint', 'endpoint.key_id', 'item.key_id')
      .select('endpoint.key_id'),
  );

  return (session) => ({
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
    list: () => session.read(async (run) => (await run.all(list, {})).map(toEndpoint)),
    withEndpoint: (keyIds) =>
      session.read(async (run) => {
        const asked = keyIds.map((id) => ({ key_id: id }));
        const { rows } = await run.batch(withEndpoint, asked, {});
        return new Set(rows.map((row) => row.key_id));
      }),
  });
};
