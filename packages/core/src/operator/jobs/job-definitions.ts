import type { JobId } from '../../domain/ids.js';
import type { JobMove } from '../../domain/job.js';
import type { Repositories } from '../../ports/storage.js';
import { onCompany, onHost, onJob } from '../command/claims.js';
import { type CommandContext, type Definitions, inTransaction } from '../command/definition.js';
import { id, nullIsOmitted, oneOf, optionalId, page } from '../command/fields.js';
import { filter, list, record } from '../command/input.js';
import { withCompanyNames } from '../names.js';
import { defineAgeCursors, type Page, readPage } from '../page-cursor.js';
import { type JobOutcome, moveJobs, setInternalOnly, updateJob } from './change-job.js';
import { closeAll } from './close-all.js';
import type { JobCommands, JobFilter, JobTarget, ListedJob } from './job-commands.js';
import { listVisibility } from './job-details.js';
import { JOB_STATES, jobPut, jobUpdate, newJob, newJobRules } from './job-fields.js';
import { MAX_JOBS, publishInSteps, publishJobs } from './publish-jobs.js';
import { putJobs } from './put-jobs.js';

const target = { id: id('job') };
const state = nullIsOmitted(oneOf(JOB_STATES), 'Only those in this state');
const JOBS = { name: 'jobs', rule: 'one for each job' } as const;

const move =
  (move: JobMove) =>
  ({ commit }: CommandContext, job: JobTarget): Promise<JobOutcome> =>
    commit((scope) => moveJobs(scope, [job.id], move)).then(first);

const moveMany =
  (move: JobMove) =>
  ({ commit }: CommandContext, jobs: readonly JobTarget[]): Promise<readonly JobOutcome[]> =>
    commit((scope) =>
      moveJobs(
        scope,
        jobs.map(({ id }) => id),
        move,
      ),
    );

export const jobDefinitions: Definitions<JobCommands> = {
  publish: {
    summary: 'Publishes a job; keys with access see it immediately',
    input: record(newJob),
    act: 'published the job',
    run: ({ commit }, job) => commit((scope) => publishJobs(scope, [job])).then(first),
  },
  publishMany: {
    summary: 'Publishes jobs in one transaction',
    input: list(newJob, { ...JOBS, rules: newJobRules }),
    act: 'published jobs',
    run: inTransaction(publishJobs),
  },
  publishInSteps: {
    summary: 'Publishes jobs, 100 at a time, as an operation of the worker',
    input: list(newJob, { ...JOBS, max: MAX_JOBS, rules: newJobRules }),
    act: 'imported jobs',
    run: publishInSteps,
  },
  put: {
    summary: 'Creates a job, or updates it if its id exists',
    input: record(jobPut),
    act: 'saved the job',
    run: ({ commit }, job) => commit((scope) => putJobs(scope, [job])).then(first),
  },
  putMany: {
    summary: 'Creates or updates jobs in one transaction',
    input: list(jobPut, { ...JOBS, rules: newJobRules }),
    act: 'saved jobs',
    run: inTransaction(putJobs),
  },
  update: {
    summary: 'Changes the details of a job',
    input: record({ ...target, changes: jobUpdate }),
    act: 'changed the job',
    run: inTransaction(updateJob),
  },
  close: {
    summary: 'Closes a job',
    input: record(target),
    act: 'closed the job',
    right: 'jobs:move',
    claims: onHost,
    run: move('close'),
  },
  closeMany: {
    summary: 'Closes jobs in one transaction',
    input: list(target, JOBS),
    act: 'closed jobs',
    right: 'jobs:move',
    claims: onHost,
    run: moveMany('close'),
  },
  reopenMany: {
    summary: 'Reopens closed jobs in one transaction',
    input: list(target, JOBS),
    act: 'reopened jobs',
    right: 'jobs:move',
    claims: onHost,
    run: moveMany('reopen'),
  },
  archiveMany: {
    summary: 'Archives jobs in one transaction',
    input: list(target, JOBS),
    act: 'archived jobs',
    right: 'jobs:archive',
    claims: onHost,
    run: moveMany('archive'),
  },
  closeAll: {
    summary: 'Closes all open jobs of a company, 100 at a time, as an operation of the worker',
    input: record({ companyId: id('company') }),
    act: 'closed all jobs of a company',
    right: 'jobs:move',
    claims: onHost,
    run: ({ commit }, { companyId }) => commit((scope) => closeAll(scope, companyId)),
  },
  reopen: {
    summary: 'Reopens a closed job',
    input: record(target),
    act: 'reopened the job',
    right: 'jobs:move',
    claims: onHost,
    run: move('reopen'),
  },
  archive: {
    summary: 'Archives a job',
    input: record(target),
    act: 'archived the job',
    right: 'jobs:archive',
    claims: onHost,
    run: move('archive'),
  },
  unarchive: {
    summary: 'Reopens an archived job',
    input: record(target),
    act: 'unarchived the job',
    right: 'jobs:archive',
    claims: onHost,
    run: move('unarchive'),
  },
  markInternalOnly: {
    summary: 'Hides a job from all partners',
    input: record(target),
    act: 'hid the job from partners',
    right: 'jobs:hide',
    claims: onHost,
    run: ({ commit }, job) => commit((scope) => setInternalOnly(scope, job.id, true)),
  },
  markPublic: {
    summary: 'Shows a job to partners again',
    input: record(target),
    act: 'showed the job to partners',
    right: 'jobs:hide',
    claims: onHost,
    run: ({ commit }, job) => commit((scope) => setInternalOnly(scope, job.id, false)),
  },
  find: {
    summary: 'Shows a job',
    input: record(target),
    right: 'jobs:read',
    claims: onJob,
    run: async ({ read }, job) => (await read.jobs.find([job.id]))[0] ?? null,
  },
  list: {
    summary: 'Lists jobs, including those hidden from partners',
    input: filter({ companyId: optionalId('company'), state, ...page }),
    right: 'jobs:read',
    claims: onCompany,
    run: ({ read }, asked) => listJobs(read, asked),
  },
  count: {
    summary: 'Counts the jobs of a company',
    input: record({ companyId: id('company'), state }),
    right: 'jobs:read',
    claims: onCompany,
    run: ({ read }, { companyId, state }) => read.jobs.countOfCompany(companyId, state ?? null),
  },
  visibility: {
    summary: 'Shows which keys see a job',
    input: record(target),
    right: 'jobs:read',
    // It names the keys of other partners.
    claims: onHost,
    run: ({ read }, job) => listVisibility(read, job.id),
  },
};

const CURSORS = defineAgeCursors<JobId>('jobs');

async function listJobs(
  read: Repositories,
  { companyId, state, ...page }: JobFilter,
): Promise<Page<ListedJob>> {
  const binding = [companyId ?? null, state ?? null];
  const { items: rows, nextCursor } = await readPage(CURSORS, binding, page, (start) =>
    companyId === undefined
      ? read.jobs.list(state ?? null, start)
      : read.jobs.listOfCompany(companyId, state ?? null, start),
  );
  return { items: await withCompanyNames(read, rows), nextCursor };
}

function first<Item>(items: readonly Item[]): Item {
  const [item] = items;
  if (item === undefined) throw new Error('Expected one job, got none.');
  return item;
}
