import type { CompanyId, Job, JobId, JobRepository, JobState } from '@partner-hiring/core/ports';
import { sql } from 'kysely';
import { defineInsert, defineSave, selectItems } from '../batch.js';
import type { JsonRows } from '../dialect.js';
import { type AgeParams, ageParams, OLDEST_FIRST } from '../feed-page.js';
import { defineLookUps, findByIds, type Item, prepareFindByIds } from '../look-ups.js';
import { beyond, defineMerged, mergeRanges } from '../merged-ranges.js';
import type { Preparation, Prepare } from '../preparation.js';
import { define, type Param } from '../statement.js';
import { JOBS } from '../tables/index.js';
import { prepareJobsForSubmissions } from './jobs-for-submissions.js';
import { prepareNameWords } from './name-words.js';

interface StateParams extends AgeParams<JobId> {
  readonly state: JobState;
}

interface PageParams extends StateParams {
  readonly companyId: CompanyId;
}

/** The states that the table allows. A page of jobs in any state merges one index range for each of them. */
const STATES = ['open', 'closed', 'archived'] as const satisfies JobState[];

/** The queries that list the jobs of one company or of all. */
function defineJobPages(preparation: Preparation) {
  const ofAll = (param: Param<StateParams>) =>
    preparation.queries
      .selectFrom('ph_job')
      .selectAll()
      .where(beyond('>', { created_at: param('createdAt'), id: param('id') }));
  const ofCompany = (param: Param<PageParams>) =>
    ofAll(param as Param<StateParams>).where('company_id', '=', param('companyId'));
  const pageOfAll = define((param: Param<StateParams>) => {
    const lists = STATES.map((state) => ofAll(param).where('state', '=', sql.lit(state)));
    return mergeRanges(preparation, lists, OLDEST_FIRST, param('limit'));
  });
  const pageOfAllInState = defineMerged(preparation, OLDEST_FIRST, (param: Param<StateParams>) => [
    ofAll(param).where('state', '=', param('state')),
  ]);
  const page = define((param: Param<PageParams>) => {
    const lists = STATES.map((state) => ofCompany(param).where('state', '=', sql.lit(state)));
    return mergeRanges(preparation, lists, OLDEST_FIRST, param('limit'));
  });
  const pageInState = defineMerged(preparation, OLDEST_FIRST, (param: Param<PageParams>) => [
    ofCompany(param).where('state', '=', param('state')),
  ]);
  return { page, pageInState, pageOfAll, pageOfAllInState };
}

export const prepareJobs: Prepare<JobRepository> = (preparation) => ({
  ...prepareFindJobs(preparation),
  ...prepareJobsForSubmissions(preparation),
  ...prepareAddJobs(preparation),
  ...prepareSaveJobs(preparation),
  ...prepareJobOutlines(preparation),
});

type FoundBy = 'find' | 'list' | 'listOfCompany' | 'listUnknownCountries' | 'countOfCompany';

const prepareFindJobs: Prepare<Pick<JobRepository, FoundBy>> = (preparation) => {
  const { queries } = preparation;
  const { page, pageInState, pageOfAll, pageOfAllInState } = defineJobPages(preparation);
  const ofCompany = (isInState: boolean) => {
    const jobs = (param: Param<{ companyId: CompanyId; state: JobState }>) =>
      queries
        .selectFrom('ph_job')
        .where('company_id', '=', param('companyId'))
        .$if(isInState, (query) => query.where('state', '=', param('state')));
    return {
      list: define((param: Parameters<typeof jobs>[0]) =>
        jobs(param).selectAll().orderBy('created_at').orderBy('id'),
      ),
      count: define((param: Parameters<typeof jobs>[0]) =>
        jobs(param).select((eb) => eb.fn.countAll<number>().as('count')),
      ),
    };
  };
  const inAnyState = ofCompany(false);
  const inState = ofCompany(true);
  const unknownCountries = define((param: Param<{ limit: number }>) =>
    queries
      .selectFrom('ph_job')
      .select((eb) => ['country', eb.fn.countAll<number>().as('jobs')])
      .where('unknown_country', '=', sql.lit(1))
      .where('state', '=', sql.lit('open' as const))
      .groupBy('country')
      .orderBy('country')
      .limit(param('limit')),
  );

  return {
    find: prepareFindByIds(preparation, JOBS, 'id'),
    listOfCompany: (session, companyId, state, asked) =>
      session.read(async (run) => {
        const values = { companyId, state: state ?? 'open' };
        const { list } = state === null ? inAnyState : inState;
        if (asked === undefined) return run.list(list, values, JOBS.toValue);
        const paged = { ...values, ...ageParams(asked) };
        return run.list(state === null ? page : pageInState, paged, JOBS.toValue);
      }),
    list: (session, state, asked) =>
      session.read(async (run) => {
        const values = { state: state ?? 'open', ...ageParams(asked) };
        return run.list(state === null ? pageOfAll : pageOfAllInState, values, JOBS.toValue);
      }),
    listUnknownCountries: (session, limit) => session.read((run) => run.all(unknownCountries, { limit })),
    countOfCompany: (session, companyId, state) =>
      session.read(async (run) => {
        const { count } = state === null ? inAnyState : inState;
        return (await run.first(count, { companyId, state: state ?? 'open' }))?.count ?? 0;
      }),
  };
};

/** Adds all jobs. If an id already exists, adds none and returns the existing ids. */
const prepareAddJobs: Prepare<Pick<JobRepository, 'add'>> = (preparation) => {
  const { queries } = preparation;
  const words = prepareNameWords(preparation, 'job');
  const add = defineInsert(preparation, {
    table: JOBS,
    finish: (insert) => insert.onConflict((conflict) => conflict.doNothing()).returning('id'),
  });
  const remove = define((param: Param<{ rows: JsonRows<{ id: JobId }> }>) =>
    queries.deleteFrom('ph_job').where('id', 'in', selectItems(preparation, param('rows'), 'id')),
  );

  return {
    add: (session, jobs) =>
      session.write(async (run) => {
        const { rows } = await run.batch(add, jobs.map(JOBS.toRow), {});
        if (rows.length === jobs.length) {
          await words.add(run, jobs.map(titled));
          return [];
        }
        await run.batch(remove, rows, {});
        const added = new Set(rows.map(({ id }) => id));
        return jobs.map(({ id }) => id).filter((id) => !added.has(id));
      }),
  };
};

/** Saves jobs, but never changes a job's creation time. */
const prepareSaveJobs: Prepare<Pick<JobRepository, 'save'>> = (preparation) => {
  const words = prepareNameWords(preparation, 'job');
  const save = defineSave(preparation, JOBS, ['id'], ['created_at']);

  return {
    save: (session, jobs) =>
      session.write(async (run) => {
        await Promise.all([run.batch(save, jobs.map(JOBS.toRow), {}), words.save(run, jobs.map(titled))]);
      }),
  };
};

function titled({ id, title }: Job) {
  return { id, name: title };
}

const OUTLINES = JOBS.pick(
  'id',
  'company_id',
  'state',
  'created_at',
  'updated_at',
  'synced_in',
  'source_version',
);

const OUTLINE_COLUMNS = Object.keys(OUTLINES.columns) as (keyof typeof OUTLINES.columns)[];

/** The longest page. It bounds what the planner expects. */
const LONGEST_PAGE = 5_000;

/** Reads jobs without their details, for a sync that compares versions. */
const prepareJobOutlines: Prepare<Pick<JobRepository, 'findOutlines' | 'listOpenOutlines'>> = (
  preparation,
) => {
  const { queries } = preparation;
  const find = defineLookUps(preparation, { id: 'text' }, (item: Item<{ id: JobId }>) =>
    queries.selectFrom('ph_job').select(OUTLINE_COLUMNS).where('id', '=', item('id')),
  );
  const open = (param: Param<AgeParams<JobId>>) =>
    queries
      .selectFrom('ph_job')
      .select(OUTLINE_COLUMNS)
      .where('state', '=', sql.lit('open' as const))
      .where(beyond('>', { created_at: param('createdAt'), id: param('id') }));
  const listOpen = defineMerged(
    preparation,
    OLDEST_FIRST,
    (param: Param<AgeParams<JobId>>) => [open(param)],
    LONGEST_PAGE,
  );
  const listSynced = define((param: Param<AgeParams<JobId>>) => {
    const synced = open(param).where('synced_in', 'is not', null);
    return mergeRanges(preparation, [synced], OLDEST_FIRST, param('limit'), LONGEST_PAGE);
  });

  return {
    findOutlines: findByIds(find, 'id', OUTLINES.toValue),
    listOpenOutlines: (session, onlySynced, page) =>
      session.read((run) => run.list(onlySynced ? listSynced : listOpen, ageParams(page), OUTLINES.toValue)),
  };
};
