import { NO_SYNC, type Repositories } from '@partner-hiring/core/ports';
import { columnParams, replace } from '../../batch.js';
import type { Prepare } from '../../preparation.js';
import { define, type Param } from '../../statement.js';
import type { Row } from '../../table.js';
import { JOB_SYNCS } from './table.js';

const NAME = 'jobs';

const COLUMNS = JOB_SYNCS.omit('name');

export const prepareJobSyncs: Prepare<Repositories['jobSyncs']> = ({ queries, lockRows }) => {
  const find = define((_: Param<object>) => queries.selectFrom('ph_job_sync').selectAll());
  const findForUpdate = define((_: Param<object>) =>
    queries.selectFrom('ph_job_sync').selectAll().$call(lockRows),
  );
  const insert = (param: Param<Row<typeof COLUMNS>>) =>
    queries.insertInto('ph_job_sync').values({ name: NAME, ...columnParams(COLUMNS, param) });
  const add = define((param: Parameters<typeof insert>[0]) =>
    insert(param).onConflict((conflict) => conflict.doNothing()),
  );
  const save = define((param: Parameters<typeof insert>[0]) =>
    insert(param).onConflict(replace(JOB_SYNCS, ['name'])),
  );

  return {
    find: (session) => session.read(async (run) => (await run.one(find, {}, JOB_SYNCS.toValue)) ?? NO_SYNC),
    findForUpdate: (session) =>
      session.write(async (run) => {
        // Without a row, there would be nothing to lock.
        await run.execute(add, COLUMNS.toRow(NO_SYNC));
        return (await run.one(findForUpdate, {}, JOB_SYNCS.toValue)) ?? NO_SYNC;
      }),
    save: (session, state) => session.write((run) => run.execute(save, COLUMNS.toRow(state))),
  };
};
