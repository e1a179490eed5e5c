import type { JobId, PartnerId } from '../../domain/ids.js';
import type { Job, JobMove } from '../../domain/job.js';
import { onCompany, onHost, onJob } from '../../operator/command/claims.js';
import { type CommandContext, type Definitions, inTransaction } from '../../operator/command/definition.js';
import {
  id,
  nullIsOmitted,
  oneOf,
  optional,
  optionalId,
  orNull,
  page,
} from '../../operator/command/fields.js';
import { filter, list, record } from '../../operator/command/input.js';
import { oneOrMany } from '../../operator/command/one-or-many.js';
import { withCompanyNames } from '../../operator/names.js';
import { defineAgeCursors, type Page, readPage } from '../../operator/page-cursor.js';
import type { Repositories } from '../../ports/storage.js';
import {
  type JobOutcome,
  type JobReopening,
  type JobTarget,
  moveJobs,
  setVisibility,
  updateJob,
} from './change-job.js';
import { closeAll } from './close-all.js';
import { type FoundJob, findJob } from './find-job.js';
import type { JobCommands, JobFilter, ListedJob } from './job-commands.js';
import { firstState, JOB_STATES, jobUpdate, newJob, newJobRules } from './job-fields.js';
import { MAX_JOBS, publishInSteps, publishJobs } from './publish-jobs.js';
import { putJobs } from './put-jobs.js';
import { sourceJob, sourceJobRules } from './source-job.js';

const target = { id: id('job') };
const state = nullIsOmitted(oneOf(JOB_STATES), 'Only those in this state');
const JOBS = { name: 'jobs', rule: 'one for each job' } as const;

const move =
  (moveOf: JobMove | ((job: JobReopening) => JobMove)) =>
  ({ commit }: CommandContext, jobs: readonly JobTarget[]): Promise<readonly JobOutcome[]> =>
    commit((scope) => moveJobs(scope, jobs, moveOf));

export const jobDefinitions: Definitions<JobCommands> = {
  publish: {
    summary: 'Publishes a job; keys with access see it immediately',
    input: oneOrMany(newJob, { ...JOBS, rules: newJobRules }),
    pastTense: 'published the job',
    pastTenseOfMany: 'published jobs',
    run: inTransaction(publishJobs),
  },
  publishInSteps: {
    summary: 'Publishes jobs, 100 at a time, as an operation of the worker',
    input: list(newJob, { ...JOBS, max: MAX_JOBS, rules: newJobRules }),
    pastTense: 'imported jobs',
    run: publishInSteps,
  },
  put: {
    summary: 'Creates a job, or updates it if its id exists',
    input: oneOrMany(
      {
        ...sourceJob,
        companyId: optional(orNull(id('company')), 'The company of the job'),
        state: firstState,
      },
      { ...JOBS, itemRules: sourceJobRules, rules: newJobRules },
    ),
    pastTense: 'saved the job',
    pastTenseOfMany: 'saved jobs',
    run: inTransaction(putJobs),
  },
  update: {
    summary: 'Changes the details of a job',
    input: record({ ...target, changes: jobUpdate }),
    pastTense: 'changed the job',
    run: inTransaction(updateJob),
  },
  close: {
    summary: 'Closes a job',
    input: oneOrMany(target, JOBS),
    pastTense: 'closed the job',
    pastTenseOfMany: 'closed jobs',
    right: 'jobs:move',
    claims: onHost,
    run: move('close'),
  },
  closeAll: {
    summary: 'Closes all open jobs of a company, 100 at a time, as an operation of the worker',
    input: record({ companyId: id('company') }),
    pastTense: 'closed all jobs of a company',
    right: 'jobs:move',
    claims: onHost,
    run: ({ commit }, { companyId }) => commit((scope) => closeAll(scope, companyId)),
  },
  reopen: {
    summary: 'Reopens a closed or an archived job',
    input: oneOrMany(
      {
        ...target,
        from: optional(oneOf(['closed', 'archived']), 'The state that it must have, default closed'),
      },
      JOBS,
    ),
    pastTense: 'reopened the job',
    pastTenseOfMany: 'reopened jobs',
    right: ({ from }) => [from === 'archived' ? 'jobs:archive' : 'jobs:move'],
    claims: onHost,
    run: move(({ from }) => (from === 'archived' ? 'unarchive' : 'reopen')),
  },
  archive: {
    summary: 'Archives a job',
    input: oneOrMany(target, JOBS),
    pastTense: 'archived the job',
    pastTenseOfMany: 'archived jobs',
    right: 'jobs:archive',
    claims: onHost,
    run: move('archive'),
  },
  setVisibility: {
    summary: 'Hides a job from all partners, or shows it again',
    input: oneOrMany({ ...target, visibility: oneOf(['public', 'internal_only']) }, JOBS),
    pastTense: 'changed who sees the job',
    pastTenseOfMany: 'changed who sees jobs',
    right: 'jobs:hide',
    claims: onHost,
    run: inTransaction(setVisibility),
  },
  find: {
    summary: 'Shows a job',
    input: record(target),
    right: 'jobs:read',
    claims: onJob,
    gate: {
      narrow: (job, _input, _sees, partnerIds) => job && narrowFoundJob(job, partnerIds),
    },
    run: ({ read }, { id }) => findJob(read, id),
  },
  list: {
    summary: 'Lists jobs, including those hidden from partners',
    input: filter({ companyId: optionalId('company'), state, ...page }),
    right: 'jobs:read',
    claims: onCompany,
    gate: { narrow: (found) => ({ ...found, items: found.items.map(narrowJob) }) },
    run: ({ read }, asked) => listJobs(read, asked),
  },
  count: {
    summary: 'Counts the jobs of a company',
    input: record({ companyId: id('company'), state }),
    right: 'jobs:read',
    claims: onCompany,
    run: ({ read }, { companyId, state }) => read.jobs.countOfCompany(companyId, state ?? null),
  },
};

/** Hides what a job says about the platform's own job source, which belongs to no partner. */
function narrowJob<Given extends Job>(job: Given): Given {
  return { ...job, syncedIn: null, sourceVersion: null };
}

/** Also leaves only the keys of these partners. */
function narrowFoundJob(job: FoundJob, partnerIds: readonly PartnerId[]): FoundJob {
  const visibility = job.visibility.filter(({ partnerId }) => partnerIds.includes(partnerId));
  return { ...narrowJob(job), visibility };
}

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
