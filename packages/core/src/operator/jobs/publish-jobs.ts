import type { JobId } from '../../domain/ids.js';
import type { Job, JobState } from '../../domain/job.js';
import type { Instant } from '../../domain/time.js';
import { OperatorError } from '../../errors.js';
import { announceJobs } from '../announce.js';
import { lockCompanies } from '../companies.js';
import { type Inspection, inspect, inspectChoice, inspectNewId } from '../input/inspection.js';
import type { NewJob } from '../jobs.js';
import type { Scope } from '../scope.js';
import { completeDetails, inspectDetails } from './job-details.js';

/** The states a job may have. */
export const JOB_STATES = ['open', 'closed', 'archived'] as const satisfies readonly JobState[];

/** Publishes jobs in one commit, all or none, in a constant number of calls. Throws what `JobCommands` says. */
export async function publishJobs(
  scope: Scope,
  command: 'jobs.publish' | 'jobs.publishMany',
  inputs: readonly NewJob[],
): Promise<readonly Job[]> {
  inspectJobs(command, inputs);
  await lockCompanies(scope, [...new Set(inputs.map(({ companyId }) => companyId))]);
  const now = await scope.now();
  const jobs = inputs.map((input) => newJob(input, input.id ?? scope.runtime.ids.next('job'), now));
  await addJobs(scope, jobs);
  await announceJobs(scope, jobs);
  return jobs;
}

function inspectJobs(command: 'jobs.publish' | 'jobs.publishMany', inputs: readonly NewJob[]): void {
  const inspection = inspect(command);
  for (const [index, input] of inputs.entries()) {
    inspectJob(inspection, input, command === 'jobs.publish' ? '' : `jobs[${index}].`);
  }
  const ids = inputs.flatMap(({ id }) => id ?? []);
  inspection.expect(new Set(ids).size === ids.length, 'jobs', 'must not name an id twice');
  inspection.end();
}

function inspectJob(inspection: Inspection, input: NewJob, at: string): void {
  const { id, state = 'open', internalOnly = false } = input;
  inspectNewId(inspection, 'job', id, `${at}id`);
  inspectChoice(inspection, state, `${at}state`, JOB_STATES);
  inspection.expect(typeof internalOnly === 'boolean', `${at}internalOnly`, 'must be true or false');
  inspectDetails(inspection, input, at);
}

/** The table says which ids are taken: publications for different companies do not wait for one another before. */
async function addJobs({ tx }: Scope, jobs: readonly Job[]): Promise<void> {
  const [taken] = await tx.jobs.add(jobs);
  if (taken === undefined) return;
  throw new OperatorError(
    'JOB_EXISTS',
    `The job ${taken} exists. Use jobs.update to change it, jobs.reopen to offer it again.`,
  );
}

function newJob(input: NewJob, id: JobId, createdAt: Instant): Job {
  const { companyId, state = 'open', internalOnly = false } = input;
  return { ...completeDetails(input), id, companyId, state, internalOnly, createdAt };
}
