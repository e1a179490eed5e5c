import type { EndpointRepository, KeyId } from '@partner-hiring/core/ports';
import { sql } from 'kysely';
import { itemsWith, replace, selectItems } from '../batch.js';
import { prepareDueDeliveries } from '../deliveries/due-deliveries.js';
import type { JsonRows } from '../dialect.js';
import { prepareFindEvents } from '../events/event-repository.js';
import { findByIds, prepareFind } from '../look-ups.js';
import { defineMerged } from '../merged-ranges.js';
import type { Prepare } from '../preparation.js';
import { createRunSession } from '../session.js';
import { define, type Param, WRITTEN } from '../statement.js';
import type { Row } from '../table.js';
import { ENDPOINTS } from '../tables/index.js';
import { prepareMarkIdle } from './changed-keys.js';
import { prepareEndpointBacklogs } from './endpoint-backlogs.js';
import { prepareEndpointLeases, prepareSettleEndpoints, SAVED_ENDPOINTS } from './endpoint-leases.js';
import { prepareFailingEndpoints } from './failing-endpoints.js';

export const prepareEndpoints: Prepare<EndpointRepository> = (preparation) => ({
  ...prepareFindEndpoints(preparation),
  ...preparePoll(preparation),
  ...prepareSaveEndpoint(preparation),
  ...prepareEndpointLeases(preparation),
  ...prepareMarkIdle(preparation),
  ...prepareSettleEndpoints(preparation),
  ...prepareEndpointBacklogs(preparation),
  ...prepareFailingEndpoints(preparation),
});

type FindMethods = 'find' | 'findEach' | 'findForUpdate' | 'findLogStart' | 'list' | 'withEndpoint';

const prepareFindEndpoints: Prepare<Pick<EndpointRepository, FindMethods>> = (preparation) => {
  const { queries, items, lockRows } = preparation;
  const findEach = define((param: Param<{ rows: JsonRows<{ key_id: KeyId }> }>) =>
    queries
      .selectFrom('ph_endpoint')
      .selectAll()
      .where('key_id', 'in', selectItems(preparation, param('rows'), 'key_id')),
  );
  const findLogStart = define((param: Param<{ keyId: KeyId }>) =>
    queries.selectFrom('ph_endpoint').select('log_start').where('key_id', '=', param('keyId')),
  );
  const list = define(() =>
    queries.selectFrom('ph_endpoint').selectAll().orderBy('created_at').orderBy('key_id'),
  );
  const page = defineMerged(
    preparation,
    { columns: ['key_id'], direction: 'asc' },
    (param: Param<{ after: KeyId; limit: number }>) => [
      queries.selectFrom('ph_endpoint').selectAll().where('key_id', '>', param('after')),
    ],
  );
  const withEndpoint = define((param: Param<{ rows: JsonRows<{ key_id: KeyId }> }>) =>
    queries
      .selectFrom(items(param('rows'), { key_id: 'text' }))
      .innerJoin('ph_endpoint as endpoint', 'endpoint.key_id', 'item.key_id')
      .where(({ eb, or }) =>
        or([
          eb('endpoint.paused_reason', 'is', null),
          eb('endpoint.paused_reason', '<>', sql.lit('partner_removed' as const)),
        ]),
      )
      .select('endpoint.key_id'),
  );

  return {
    find: prepareFind(preparation, ENDPOINTS, 'key_id'),
    findEach: findByIds(findEach, 'key_id', ENDPOINTS.toValue),
    findForUpdate: prepareFind(preparation, ENDPOINTS, 'key_id', lockRows),
    findLogStart: (session, keyId) =>
      session.read(async (run) => (await run.first(findLogStart, { keyId }))?.log_start ?? null),
    list: (session, asked) =>
      session.read(async (run) => {
        const rows = asked
          ? await run.all(page, { after: asked.after ?? ('' as KeyId), limit: asked.limit })
          : await run.all(list, {});
        return rows.map(ENDPOINTS.toValue);
      }),
    withEndpoint: (session, keyIds) =>
      session.read(async (run) => {
        const { rows } = await run.batch(withEndpoint, itemsWith('key_id', keyIds), {});
        return new Set(rows.map((row) => row.key_id));
      }),
  };
};

const SAVED_COLUMNS = Object.keys(SAVED_ENDPOINTS.shape) as (keyof Row<typeof SAVED_ENDPOINTS>)[];

/**
 * Saves the host's changes to an endpoint. The log and the watermark of a new endpoint start at the last stamp of its
 * key's feed.
 */
const prepareSaveEndpoint: Prepare<Pick<EndpointRepository, 'save'>> = ({ queries, whenSelected }) => {
  const save = define((param: Param<Row<typeof SAVED_ENDPOINTS>>) =>
    queries
      .insertInto('ph_endpoint')
      .columns([...SAVED_COLUMNS, 'watermark', 'log_start', 'lease_until', 'leased_at'])
      // Selects the values, because Citus refuses a sub-select in `values`.
      .expression((eb) =>
        eb
          .selectFrom('ph_feed_head as head')
          .select([
            ...SAVED_COLUMNS.map((name) => param(name).as(name)),
            'head.at as watermark',
            'head.at as log_start',
            eb.lit(0).as('lease_until'),
            eb.lit(0).as('leased_at'),
          ])
          .where('head.key_id', '=', param('key_id'))
          .$if(whenSelected !== null, (query) => query.where(whenSelected ?? sql<boolean>`true`)),
      )
      .onConflict(replace(SAVED_ENDPOINTS, ['key_id']))
      .returning(WRITTEN),
  );

  return {
    save: (session, endpoint) =>
      session.write(async (run) => {
        if ((await run.count(save, SAVED_ENDPOINTS.toRow(endpoint))) === 1) return;
        throw new Error(`Key ${endpoint.keyId} has no feed head. The storage must create one with each key.`);
      }),
  };
};

const preparePoll: Prepare<Pick<EndpointRepository, 'poll'>> = (preparation) => {
  const { readLogs } = prepareFindEvents(preparation);
  const { listDue } = prepareDueDeliveries(preparation);
  const { findEach } = prepareFindEndpoints(preparation);
  return {
    poll: (session, asked, now) =>
      session.read(async (run) => {
        const here = createRunSession(run);
        const [logs, dues, endpoints] = await Promise.all([
          readLogs(
            here,
            asked.map(({ keyId, after, logLimit }) => ({ keyId, after, limit: logLimit })),
          ),
          listDue(
            here,
            asked.map(({ keyId, dueLimit }) => ({ keyId, limit: dueLimit })),
            now,
          ),
          findEach(
            here,
            asked.map(({ keyId }) => keyId),
          ),
        ]);
        return asked.map((_, index) => ({
          log: logs[index] ?? [],
          due: dues[index] ?? [],
          endpoint: endpoints[index] ?? null,
        }));
      }),
  };
};
