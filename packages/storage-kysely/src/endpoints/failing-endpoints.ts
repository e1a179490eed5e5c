import type { Endpoint, EndpointRepository, Instant, KeyId, PartnerOfKey } from '@partner-hiring/core/ports';
import { sql } from 'kysely';
import type { Columns, JsonRows } from '../dialect.js';
import type { Prepare } from '../preparation.js';
import { define, type Param } from '../statement.js';
import { fromProgress, type ProgressRow, toEndpoint } from './endpoint-rows.js';

type FailingMethods = 'listFailing' | 'countFailing' | 'listToWarn' | 'saveWarnings';

interface PageParams {
  readonly failingSince: Instant;
  readonly keyId: KeyId | '';
  readonly limit: number;
}

const START = { failingSince: 0, keyId: '' } as const;

interface WarningItem extends Pick<ProgressRow, 'failing_warned_at' | 'pause_warned_at' | 'warn_at'> {
  readonly key_id: KeyId;
}

const WARNING_COLUMNS: Columns<WarningItem> = {
  key_id: 'text',
  failing_warned_at: 'integer',
  pause_warned_at: 'integer',
  warn_at: 'integer',
};

/** Each query reads one range of a partial index that only has failing endpoints. */
export const prepareFailingEndpoints: Prepare<Pick<EndpointRepository, FailingMethods>> = (preparation) => {
  const { queries, items, lockFreeRows } = preparation;
  const list = define((param: Param<PageParams>) =>
    queries
      .selectFrom('ph_endpoint as endpoint')
      .innerJoin('ph_partner_key as key', 'key.id', 'endpoint.key_id')
      .innerJoin('ph_partner as partner', 'partner.id', 'key.partner_id')
      .selectAll('endpoint')
      .select(['key.partner_id', 'partner.name as partner_name', 'key.environment'])
      .where('endpoint.first_failure_at', 'is not', null)
      .where((where) =>
        where(
          where.refTuple('endpoint.first_failure_at', 'endpoint.key_id'),
          '>',
          where.tuple(param('failingSince'), param('keyId') as never),
        ),
      )
      .orderBy('endpoint.first_failure_at')
      .orderBy('endpoint.key_id')
      .limit(param('limit')),
  );
  const count = define((param: Param<{ bound: number }>) =>
    queries
      .selectFrom(
        queries
          .selectFrom('ph_endpoint')
          .select('first_failure_at')
          .where('first_failure_at', 'is not', null)
          // The order makes the planner read the index.
          .orderBy('first_failure_at')
          .limit(param('bound'))
          .as('failing'),
      )
      .select((eb) => eb.fn.countAll<number>().as('count')),
  );
  const listToWarn = define((param: Param<{ now: Instant; limit: number }>) =>
    queries
      .selectFrom('ph_endpoint')
      .selectAll()
      // These values are literals, because the planner does not match a parameter to a partial index.
      .where('state', '=', sql.lit('active'))
      .where('warn_at', '<=', param('now'))
      .orderBy('warn_at')
      .limit(param('limit'))
      .$call(lockFreeRows),
  );
  const saveWarnings = define((param: Param<{ rows: JsonRows<WarningItem> }>) =>
    queries
      .updateTable('ph_endpoint')
      .from(items(param('rows'), WARNING_COLUMNS))
      .set((eb) => ({
        failing_warned_at: eb.ref('item.failing_warned_at'),
        pause_warned_at: eb.ref('item.pause_warned_at'),
        warn_at: eb.ref('item.warn_at'),
      }))
      .whereRef('ph_endpoint.key_id', '=', 'item.key_id'),
  );

  return (session) => ({
    listFailing: ({ after = START, limit }) =>
      session.read(async (run) => {
        const { failingSince, keyId } = after;
        const rows = await run.all(list, { failingSince, keyId, limit });
        return rows.map((row) => ({ endpoint: toEndpoint(row), partner: toPartner(row) }));
      }),
    countFailing: (bound) => session.read(async (run) => (await run.first(count, { bound }))?.count ?? 0),
    listToWarn: (now, limit) =>
      session.read(async (run) => (await run.all(listToWarn, { now, limit })).map(toEndpoint)),
    saveWarnings: (endpoints) =>
      session.write(async (run) => {
        await run.batch(saveWarnings, endpoints.map(toWarningItem), {});
      }),
  });
};

/** The columns of a joined query that name the partner of a key. */
export interface KeyPartnerRow {
  readonly partner_id: PartnerOfKey['partnerId'];
  readonly partner_name: string;
  readonly environment: PartnerOfKey['environment'];
}

export function toPartner(row: KeyPartnerRow): PartnerOfKey {
  return { partnerId: row.partner_id, partnerName: row.partner_name, environment: row.environment };
}

function toWarningItem(endpoint: Endpoint): WarningItem {
  const { failing_warned_at, pause_warned_at, warn_at } = fromProgress(endpoint);
  return { key_id: endpoint.keyId, failing_warned_at, pause_warned_at, warn_at };
}
