import type { AuditObject } from '../../domain/audit.js';
import type { CompanyId, JobId } from '../../domain/ids.js';
import type { Job, JobState } from '../../domain/job.js';
import type { Instant } from '../../domain/time.js';
import { OperatorError } from '../../errors.js';
import { announceJobs } from '../announce.js';
import { lockCompanies } from '../find-or-throw.js';
import { recordAct } from '../record-act.js';
import type { Scope } from '../scope.js';
import { completeDetails, type JobDetailsInput } from './job-details.js';

/** A job to publish. */
export interface NewJob extends JobDetailsInput {
  /** The job's id: `job_`, then 1 to 120 characters of `A-Z a-z 0-9 _ -`. If omitted, it is generated. */
  readonly id?: JobId | undefined;
  readonly companyId: CompanyId;
  /** `open` by default. */
  readonly state?: JobState | undefined;
  /** Whether to hide the job from partners. False by default. */
  readonly internalOnly?: boolean | undefined;
}

/** Publishes all jobs, or none. Runs a fixed number of queries. */
export async function publishJobs(scope: Scope, inputs: readonly NewJob[]): Promise<readonly Job[]> {
  await lockCompanies(scope, [...new Set(inputs.map(({ companyId }) => companyId))]);
  const now = await scope.now();
  const jobs = inputs.map((input) => newJob(input, input.id ?? scope.runtime.ids.next('job'), now));
  await addJobs(scope, jobs);
  await announceJobs(scope, jobs);
  recordPublished(scope, jobs);
  return jobs;
}

function recordPublished(scope: Scope, jobs: readonly Job[]): void {
  const [first, ...others] = jobs;
  if (first === undefined) return;
  const objects = [objectOfJob(first), ...others.map(objectOfJob)] as const;
  const { companyId, title, state, internalOnly } = first;
  if (scope.act === 'jobs.publish')
    recordAct(scope, { objects, after: { companyId, title, state, internalOnly } });
  else recordAct(scope, { objects, count: jobs.length });
}

export function objectOfJob({ id }: Pick<Job, 'id'>): AuditObject {
  return { kind: 'job', id };
}

/**
 * Adds the jobs. The primary key detects duplicates. Locking instead would make companies wait for each
 * other.
 */
async function addJobs({ tx }: Scope, jobs: readonly Job[]): Promise<void> {
  const [taken] = await tx.jobs.add(jobs);
  if (taken === undefined) return;
  throw new OperatorError(
    'JOB_EXISTS',
    `Job ${taken} already exists. Change it with jobs.update, or offer it again with jobs.reopen.`,
  );
}

function newJob(input: NewJob, id: JobId, createdAt: Instant): Job {
  const { companyId, state = 'open', internalOnly = false } = input;
  return { ...completeDetails(input), id, companyId, state, internalOnly, createdAt };
}
