import type {
  Environment,
  HourCountKind,
  HourCountRepository,
  Instant,
  KeyId,
  StorageFactsRepository,
  TimeRepository,
  WorkerId,
  WorkerRepository,
} from '@partner-hiring/core/ports';
import { type Expression, sql } from 'kysely';
import { columnParams, defineInsert, replace, writeEach } from '../batch.js';
import { leaseEnd } from '../lease-clock.js';
import type { Prepare } from '../preparation.js';
import { define, type Param, WRITTEN } from '../statement.js';
import type { Row } from '../table.js';
import { HOUR_COUNTS, WORKERS } from '../tables/index.js';

export const prepareTime: Prepare<TimeRepository> = ({ queries, storageNow, now }) => {
  const readClock = define((param: Param<{ now: Instant }>) =>
    queries.selectNoFrom(sql<Instant>`${storageNow(param('now'))}`.as('at')),
  );
  return {
    now: (session) =>
      session.read(async (run) => {
        const row = await run.first(readClock, { now: now() });
        if (row === null) throw new Error('The clock statement must return a row.');
        return row.at;
      }),
  };
};

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
  const list = define(
    (param: Param<{ kind: HourCountKind; keyId: KeyId | Environment | ''; from: Instant }>) =>
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

  return {
    add: writeEach(add, HOUR_COUNTS.toRow, 'writeWithAsyncCommit'),
    list: (session, { kind, keyId, from }) =>
      session.read((run) => run.list(list, { kind, keyId: keyId ?? '', from }, HOUR_COUNTS.toValue)),
    sweep: (session, before, limit) =>
      session.writeWithAsyncCommit((run) => run.count(sweep, { before, limit })),
  };
};

/** The columns that a process never changes. */
const PROCESSES = WORKERS.omit('started_at', 'last_seen_at', 'swept_at', 'sleeps_until');
const BEATS = WORKERS.omit('started_at', 'last_seen_at', 'sleeps_until');

type BeatParams = Row<typeof BEATS> & {
  readonly now: Instant;
  readonly sleepMs: number | null;
};

export const prepareWorkers: Prepare<WorkerRepository> = (preparation) => {
  const { queries, storageNow, now } = preparation;
  const beat = define((param: Param<BeatParams>) =>
    queries
      .insertInto('ph_worker')
      .values({
        ...columnParams(PROCESSES, param),
        started_at: storageNow(param('now')),
        last_seen_at: storageNow(param('now')),
        swept_at: param('swept_at'),
        sleeps_until: leaseEnd(preparation, param('now'), param('sleepMs') as Expression<number>),
      })
      .onConflict(replace(WORKERS.pick('id', 'last_seen_at', 'swept_at', 'sleeps_until', 'sealing'), ['id'])),
  );
  const remove = define((param: Param<{ id: WorkerId }>) =>
    queries.deleteFrom('ph_worker').where('id', '=', param('id')),
  );
  const list = define((param: Param<{ limit: number }>) =>
    queries
      .selectFrom('ph_worker')
      .selectAll()
      .orderBy('last_seen_at', 'desc')
      .orderBy('id', 'desc')
      .limit(param('limit')),
  );
  const sweep = define((param: Param<{ before: Instant; limit: number }>) =>
    queries
      .deleteFrom('ph_worker')
      .where('id', 'in', (eb) =>
        eb
          .selectFrom('ph_worker as old')
          .select('old.id')
          .where('old.last_seen_at', '<', param('before'))
          .orderBy('old.last_seen_at')
          .limit(param('limit')),
      )
      // It may have been seen meanwhile.
      .where('last_seen_at', '<', param('before'))
      .returning(WRITTEN),
  );

  return {
    beat: (session, worker) =>
      session.writeWithAsyncCommit((run) =>
        run.execute(beat, { ...BEATS.toRow(worker), sleepMs: worker.sleepMs, now: now() }),
      ),
    remove: (session, id) => session.writeWithAsyncCommit((run) => run.execute(remove, { id })),
    list: (session, limit) => session.read((run) => run.list(list, { limit }, WORKERS.toValue)),
    sweep: (session, before, limit) =>
      session.writeWithAsyncCommit((run) => run.count(sweep, { before, limit })),
  };
};

export const prepareStorageFacts: Prepare<StorageFactsRepository> = ({ queries, name, databaseVersion }) => {
  const find = define(() =>
    queries
      .selectFrom('ph_schema_migration')
      .select((eb) => [databaseVersion.as('version'), eb.fn.max('version').as('schema_version')]),
  );
  return {
    find: (session) =>
      session.read(async (run) => {
        const row = await run.first(find, {});
        return { kind: name, version: row?.version ?? '', schemaVersion: row?.schema_version ?? 0 };
      }),
  };
};
