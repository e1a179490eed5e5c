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
import { define, type Param } from '../statement.js';
import { prepareSweepOldest } from '../sweep-position.js';
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

  return {
    add: writeEach(add, HOUR_COUNTS.toRow, 'writeWithAsyncCommit'),
    list: (session, { kind, keyId, from }) =>
      session.read((run) => run.list(list, { kind, keyId: keyId ?? '', from }, HOUR_COUNTS.toValue)),
    sweep: prepareSweepOldest(preparation, {
      table: 'ph_hour_count',
      column: 'hour',
      key: ['kind', 'key_id', 'hour', 'name'],
      by: 'writeWithAsyncCommit',
    }),
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

  return {
    beat: (session, worker) =>
      session.writeWithAsyncCommit((run) =>
        run.execute(beat, { ...BEATS.toRow(worker), sleepMs: worker.sleepMs, now: now() }),
      ),
    remove: (session, id) => session.writeWithAsyncCommit((run) => run.execute(remove, { id })),
    list: (session, limit) => session.read((run) => run.list(list, { limit }, WORKERS.toValue)),
    sweep: prepareSweepOldest(preparation, {
      table: 'ph_worker',
      column: 'last_seen_at',
      key: ['id'],
      // It may have been seen meanwhile.
      recheck: (query, before) => query.where('last_seen_at', '<', before),
      by: 'writeWithAsyncCommit',
    }),
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
