import type { HourCountKind, HourCountRepository, Instant, KeyId } from '@partner-hiring/core/ports';
import { defineInsert } from '../batch.js';
import type { Prepare } from '../preparation.js';
import { define, type Param, WRITTEN } from '../statement.js';
import { HOUR_COUNTS } from '../tables/index.js';

interface ListParams {
  readonly kind: HourCountKind;
  readonly keyId: KeyId | '';
  readonly from: Instant;
}

export const prepareHourCounts: Prepare<HourCountRepository> = (preparation) => {
  const { queries } = preparation;
  const add = defineInsert(preparation, {
    table: HOUR_COUNTS,
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
        await run.batch(add, counts.map(HOUR_COUNTS.toRow), {});
      }),
    list: ({ kind, keyId, from }) =>
      session.read(async (run) =>
        (await run.all(list, { kind, keyId: keyId ?? '', from })).map(HOUR_COUNTS.toValue),
      ),
    sweep: (before, limit) => session.writeWithAsyncCommit((run) => run.count(sweep, { before, limit })),
  });
};
