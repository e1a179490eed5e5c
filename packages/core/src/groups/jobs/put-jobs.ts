import type { CompanyId } from '../../domain/ids.js';
import { type Job, type JobState, touchJob } from '../../domain/job.js';
import { isSameJob } from '../../domain/job-facts.js';
import type { Instant } from '../../domain/time.js';
import { OperatorError } from '../../errors.js';
import { companyNotFound, type LockedJobs, lockFoundJobs } from '../../operator/find-or-throw.js';
import { recordAct, type Scope } from '../../operator/scope.js';
import { announceJobs } from './announce.js';
import { changedOf, type JobOutcome } from './change-job.js';
import { completeDetails } from './job-details.js';
import { objectOfJob, publishedFields, toJob } from './publish-jobs.js';
import { type CompanyNamesById, missingCompanies, renameCompanies } from './row-companies.js';
import { type SourceJob, versionOf } from './source-job.js';

/**
 * A job to create or to update, such as the row of a sync. An omitted `state` or `internalOnly` is kept; other omitted
 * fields are unset.
 */
export interface JobPut extends SourceJob {
  /** The new state; default: as it is, `open` for a new job. */
  readonly state?: JobState | undefined;
}

/**
 * A try fails only if another transaction publishes one of the ids at the same time, or creates one of the companies.
 * This many failures in a row are not expected.
 */
const MAX_TRIES = 10;

/** Creates or updates all jobs, or none. Runs a fixed number of queries. */
export async function putJobs(scope: Scope, puts: readonly JobPut[]): Promise<readonly JobOutcome[]> {
  const inputs = puts.map((put): CheckedPut => ({ ...put, companyId: companyIdOf(put) }));
  const names = namesIn(puts);
  const ids = inputs.map(({ id }) => id);
  const companyIds = [...new Set(inputs.map(({ companyId }) => companyId))];
  const now = await scope.now();
  const created: CompanyId[] = [];
  for (let tries = 1; tries <= MAX_TRIES; tries += 1) {
    const { jobs, companies } = await lockFoundJobs(scope, ids, companyIds);
    const missing = missingCompanies(names, (id) => companies.has(id), now);
    const known = new Map([...companies, ...missing.map((company) => [company.id, company] as const)]);
    const changes = inputs.map((input, index): JobChange => {
      const stored = jobs[index] ?? null;
      assertPossible(input, stored, known);
      return changeOf(input, stored, now);
    });
    if (missing.length > 0) {
      await scope.tx.companies.addMissing(missing);
      created.push(...missing.map(({ id }) => id));
      // The next try locks them.
      continue;
    }
    const added = changes.filter(({ before }) => before === null).map(({ job }) => job);
    if ((await scope.tx.jobs.add(added)).length > 0) continue;
    const renamed = await renameCompanies(scope, names, [...companies.values()]);
    await saveChanges(scope, changes, added, renamed.jobs);
    recordPut(scope, changes, [...created, ...renamed.ids]);
    return changes.map(({ job, changed }) => ({ job, changed }));
  }
  throw new Error('Other transactions publish the same jobs again and again.');
}

type CheckedPut = JobPut & { readonly companyId: CompanyId };

function companyIdOf({ companyId, company }: JobPut): CompanyId {
  const id = company?.id ?? companyId;
  // Only for the compiler: the input was checked.
  if (id === undefined || id === null) throw new Error('The job has no company.');
  return id;
}

/** If several jobs name a company differently, the first name counts. */
function namesIn(puts: readonly JobPut[]): CompanyNamesById {
  const named = puts.flatMap(({ company }) => (company ? [[company.id, company.name] as const] : []));
  return new Map(named.toReversed());
}

function changeOf(input: CheckedPut, stored: Job | null, now: Instant): JobChange {
  const sourceVersion = versionOf(input);
  if (stored === null) {
    const fresh = { ...input, internalOnly: input.internalOnly ?? undefined };
    return { before: null, job: { ...toJob(fresh, input.id, now), sourceVersion }, changed: true };
  }
  const job = afterPut(input, stored);
  if (!isSameJob(stored, job))
    return { before: stored, job: { ...touchJob(job, now), sourceVersion }, changed: true };
  const isSameVersion = sourceVersion === null || sourceVersion === stored.sourceVersion;
  return { before: stored, job: isSameVersion ? stored : { ...stored, sourceVersion }, changed: false };
}

interface JobChange extends JobOutcome {
  readonly before: Job | null;
}

function afterPut(input: CheckedPut, stored: Job): Job {
  const { companyId, state = stored.state } = input;
  const internalOnly = input.internalOnly ?? stored.internalOnly;
  return { ...stored, ...completeDetails(input), companyId, state, internalOnly };
}

function assertPossible(
  { id, companyId }: CheckedPut,
  stored: Job | null,
  companies: LockedJobs['companies'],
): void {
  const company = companies.get(companyId);
  if (company === undefined) throw companyNotFound(companyId);
  if (stored === null || companies.get(stored.companyId)?.environment === company.environment) return;
  throw new OperatorError(
    'JOB_EXISTS',
    `Job ${id} already exists at a company of the other environment. Use another id for the job of ${companyId}.`,
  );
}

async function saveChanges(
  scope: Scope,
  changes: readonly JobChange[],
  added: readonly Job[],
  ofRenamed: readonly Job[],
): Promise<void> {
  const saved = changes.filter(({ before, job }) => before !== null && before !== job);
  await scope.tx.jobs.save(saved.map(({ job }) => job));
  const updated = saved.filter(({ changed }) => changed);
  const hasMoved = updated.some(({ before, job }) => before?.companyId !== job.companyId);
  const announced = [...ofRenamed, ...added, ...updated.map(({ job }) => job)];
  await announceJobs(scope, [...new Map(announced.map((job) => [job.id, job])).values()], hasMoved);
}

/** @param companyIds - the companies that were created or renamed. */
function recordPut(scope: Scope, changes: readonly JobChange[], companyIds: readonly CompanyId[]): void {
  const changed = changes.filter((change) => change.changed);
  const companies = companyIds.map((id) => ({ kind: 'company', id }) as const);
  const [first, ...others] = [...changed.map(({ job }) => objectOfJob(job)), ...companies];
  if (first === undefined) return;
  const objects = [first, ...others] as const;
  const [only] = changes;
  if (changes.length > 1 || only === undefined)
    recordAct(scope, { objects, count: changed.length, filter: { jobs: changes.length } });
  else if (only.before === null) recordAct(scope, { objects, after: publishedFields(only.job) });
  else recordAct(scope, { objects, ...changedOf([only.before, only.job]) });
}
