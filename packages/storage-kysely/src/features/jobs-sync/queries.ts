import { type CompanyId, type JobId, NO_SYNC, type Repositories } from '@partner-hiring/core/ports';
import { columnParams, defineInsert, replace } from '../../batch.js';
import type { JsonRows } from '../../dialect.js';
import { NO_ID } from '../../feed-page.js';
import { beyond } from '../../merged-ranges.js';
import type { Prepare } from '../../preparation.js';
import { define, type Param } from '../../statement.js';
import type { Row } from '../../table.js';
import { HELD_JOBS, JOB_SYNCS } from './table.js';

const NAME = 'jobs';

const COLUMNS = JOB_SYNCS.omit('name');

export const prepareJobSyncs: Prepare<Repositories['jobSyncs']> = (preparation) => {
  const { queries, lockRows } = preparation;
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
    ...prepareHeldJobs(preparation),
  };
};

interface HeldParams {
  readonly companyId: CompanyId;
  readonly jobId: JobId;
  readonly limit: number;
}

const prepareHeldJobs: Prepare<Pick<Repositories['jobSyncs'], 'listHeld' | 'changeHeld'>> = (preparation) => {
  const { queries, items } = preparation;
  const held = queries.selectFrom('ph_held_job').selectAll().orderBy('company_id').orderBy('job_id');
  const list = define((param: Param<HeldParams>) =>
    held.where(beyond('>', { company_id: param('companyId'), job_id: param('jobId') })).limit(param('limit')),
  );
  const listOfCompany = define((param: Param<HeldParams>) =>
    held
      .where('company_id', '=', param('companyId'))
      .where('job_id', '>', param('jobId'))
      .limit(param('limit')),
  );
  const add = defineInsert(preparation, {
    table: HELD_JOBS,
    keyColumns: 2,
    finish: (insert) => insert.onConflict((conflict) => conflict.doNothing()),
  });
  const remove = define((param: Param<{ rows: JsonRows<Row<typeof HELD_JOBS>> }>) =>
    queries.deleteFrom('ph_held_job').where(({ eb, refTuple }) =>
      eb(
        refTuple('company_id', 'job_id'),
        'in',
        queries
          .selectFrom(items(param('rows'), HELD_JOBS.columns))
          .select(['item.company_id', 'item.job_id'])
          .$asTuple('company_id', 'job_id'),
      ),
    ),
  );

  return {
    listHeld: (session, companyId, { after, limit }) =>
      session.read((run) => {
        const start = { companyId: companyId ?? after?.companyId ?? NO_ID, jobId: after?.jobId ?? NO_ID };
        return run.list(companyId === null ? list : listOfCompany, { ...start, limit }, HELD_JOBS.toValue);
      }),
    changeHeld: (session, { added, removed }) =>
      session.write(async (run) => {
        await run.each(remove, removed.map(HELD_JOBS.toRow), {});
        await run.each(add, added.map(HELD_JOBS.toRow), {});
      }),
  };
};
