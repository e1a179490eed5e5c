import type { Instant, WorkerId, WorkerRepository } from '@partner-hiring/core/ports';
import type { Expression } from 'kysely';
import { columnParams, replace } from '../batch.js';
import { leaseEnd } from '../lease-clock.js';
import type { Prepare } from '../preparation.js';
import { define, type Param, WRITTEN } from '../statement.js';
import type { Row } from '../table.js';
import { WORKERS } from '../tables/index.js';

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
      .onConflict(replace(WORKERS.pick('id', 'last_seen_at', 'swept_at', 'sleeps_until'), ['id'])),
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

  return (session) => ({
    beat: (worker) =>
      session.writeWithAsyncCommit((run) =>
        run.execute(beat, { ...BEATS.toRow(worker), sleepMs: worker.sleepMs, now: now() }),
      ),
    remove: (id) => session.writeWithAsyncCommit((run) => run.execute(remove, { id })),
    list: (limit) => session.read(async (run) => (await run.all(list, { limit })).map(WORKERS.toValue)),
    sweep: (before, limit) => session.writeWithAsyncCommit((run) => run.count(sweep, { before, limit })),
  });
};
