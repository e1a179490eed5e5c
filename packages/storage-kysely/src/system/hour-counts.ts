import type {
  HourCount,
  HourCountKind,
  HourCountRepository,
  Instant,
  KeyId,
} from '@partner-hiring/core/ports';
import { defineInsert } from '../batch.js';
import type { Columns } from '../dialect.js';
import type { Prepare } from '../preparation.js';
import type { HourCountTable } from '../schema.js';
import { define, type Param, WRITTEN } from '../statement.js';

const COLUMNS: Columns<HourCountTable> = {
  kind: 'text',
  key_id: 'text',
  hour: 'integer',
  name: 'text',
  count: 'integer',
};

interface ListParams {
  readonly kind: HourCountKind;
  readonly keyId: KeyId | '';
  readonly from: Instant;
}

export const prepareHourCounts: Prepare<HourCountRepository> = (preparation) => {
  const { queries } = preparation;
  const add = defineInsert(preparation, {
    table: 'ph_hour_count',
    columns: COLUMNS,
    keyColumns: 4,
    finish: (insert) =>
      insert.onConflict((conflict) =>
        conflict.columns(['kind', 'key_id', 'hour', 'name']).doUpdateSet((eb) => ({
          count: eb('ph_hour_count.count', '+', eb.ref('excluded.count')),
        })),
      ),
  });
  const list = define((param: Param<ListParams>) =>
    queries
      .selectFrom('ph_hour_count')
      .selectAll()
      .where('kind', '=', param('kind'))
      .where('key_id', '=', param('keyId'))
      .where('hour', '>=', param('from'))
      .orderBy('hour')
      .orderBy('name'),
  );
  const sweep = define((param: Param<{ before: Instant; limit: number }>) =>
    queries
      .deleteFrom('ph_hour_count')
      .where((eb) =>
        eb(
          eb.refTuple('kind', 'key_id', 'hour', 'name'),
          'in',
          queries
            .selectFrom('ph_hour_count as old')
            .select(['old.kind', 'old.key_id', 'old.hour', 'old.name'])
            .where('old.hour', '<', param('before'))
            .orderBy('old.hour')
            .limit(param('limit'))
            .$asTuple('kind', 'key_id', 'hour', 'name'),
        ),
      )
      .returning(WRITTEN),
  );

  return (session) => ({
    add: (counts) =>
      session.writeWithAsyncCommit(async (run) => {
        await run.batch(add, counts.map(fromCount), {});
      }),
    list: ({ kind, keyId, from }) =>
      session.read(async (run) => (await run.all(list, { kind, keyId: keyId ?? '', from })).map(toCount)),
    sweep: (before, limit) => session.writeWithAsyncCommit((run) => run.count(sweep, { before, limit })),
  });
};

function fromCount({ kind, keyId, hour, name, count }: HourCount): HourCountTable {
  return { kind, key_id: keyId ?? '', hour, name, count };
}

function toCount(row: HourCountTable): HourCount {
  const { kind, hour, name, count } = row;
  return { kind, keyId: row.key_id === '' ? null : row.key_id, hour, name, count };
}
