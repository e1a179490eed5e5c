import { isAccessActive } from '../../domain/access.js';
import { isTerminal } from '../../domain/application.js';
import type { ApplicationId, KeyId } from '../../domain/ids.js';
import { PAGE_LIMIT, updatedThrough } from '../../domain/page.js';
import {
  SANDBOX_JOB_NAMES,
  SANDBOX_JOBS,
  type SandboxJobName,
  sandboxCompanyId,
  sandboxJobId,
} from '../../domain/sandbox-jobs.js';
import {
  isStepDue,
  nextApplicationMove,
  nextJobMove,
  type SandboxJobStanding,
  type SandboxStep,
} from '../../domain/sandbox-step.js';
import type { Instant } from '../../domain/time.js';
import { findObstacle } from '../../domain/visibility.js';
import type { SandboxPlan, SandboxStepper } from '../../ports/sandbox-stepper.js';
import type { Repositories } from '../../ports/storage.js';
import { grant, revoke } from '../access.js';
import { moveApplication } from '../applications/move-application.js';
import { lockCompany } from '../companies.js';
import { moveJobs, setInternalOnly } from '../jobs/change-job.js';
import { lockKey } from '../keys/find-key.js';
import type { Runner, Scope } from '../scope.js';
import { findMissingJobs, prepareSandbox } from './prepare-sandbox.js';

/** Builds what plays sandboxes, each step in a transaction of its own. */
export function createSandboxStepper({ run, read }: Runner): SandboxStepper {
  return {
    prepare: async (keyId) => {
      if ((await findMissingJobs(read, keyId)).length === 0) return;
      await run(async (scope) => {
        await lockKey(scope, keyId);
        await prepareSandbox(scope, keyId);
      });
    },
    plan: (keyId, after) => planSteps(read, keyId, after),
    take: (step) =>
      run((scope) =>
        step.kind === 'application' ? takeApplication(scope, step.id) : takeJob(scope, step.keyId, step.name),
      ),
  };
}

async function planSteps(read: Repositories, keyId: KeyId, after: Instant): Promise<SandboxPlan> {
  const everything = { updatedSince: null, companyId: null, status: null, limit: PAGE_LIMIT.max };
  const page = await read.applications.page({ keyId, after, ...everything });
  const [applications, jobs] = await Promise.all([
    planApplications(
      read,
      page.rows.filter(({ status }) => !isTerminal(status)).map(({ id }) => id),
    ),
    planJobs(read, keyId),
  ]);
  return {
    steps: [...applications, ...jobs],
    through: updatedThrough(page, ({ changedAt }) => changedAt),
    hasMore: page.hasMore,
  };
}

async function planApplications(
  read: Repositories,
  ids: readonly ApplicationId[],
): Promise<readonly SandboxStep[]> {
  const found = await read.applications.find(ids);
  return found.flatMap((application) => {
    const next = application && nextApplicationMove(application);
    return next ? [{ kind: 'application', id: application.id, dueAt: next.dueAt }] : [];
  });
}

async function planJobs(read: Repositories, keyId: KeyId): Promise<readonly SandboxStep[]> {
  const leaving = SANDBOX_JOB_NAMES.filter((name) => SANDBOX_JOBS[name].leaves !== null);
  const standings = await Promise.all(leaving.map((name) => findStanding(read, keyId, name)));
  return leaving.flatMap((name, index) => {
    const standing = standings[index] ?? null;
    const next = standing && nextJobMove(standing);
    return next ? [{ kind: 'job', keyId, name, dueAt: next.dueAt }] : [];
  });
}

/** It is judged again under its lock: another worker, or an operator, may have moved it since it was planned. */
async function takeApplication(scope: Scope, id: ApplicationId): Promise<Instant | null> {
  const [application] = await scope.tx.applications.findForUpdate([id]);
  const next = application ? nextApplicationMove(application) : null;
  if (next === null) return null;
  if (!isStepDue(next.dueAt, await scope.now())) return next.dueAt;
  await moveApplication(scope, id, next.move);
  return null;
}

/** The same for a job, under its company's lock. */
async function takeJob(scope: Scope, keyId: KeyId, name: SandboxJobName): Promise<Instant | null> {
  await lockCompany(scope, sandboxCompanyId(keyId, SANDBOX_JOBS[name].company));
  const standing = await findStanding(scope.tx, keyId, name);
  const next = standing && nextJobMove(standing);
  if (!next) return null;
  if (!isStepDue(next.dueAt, await scope.now())) return next.dueAt;
  await moveJob(scope, keyId, name, next.move === 'leave');
  return null;
}

/** Applications to a job that are looked at: within the three seconds until it leaves there cannot be more. */
const ARRIVALS = 100;

/** Null for a job that is not there, or that an operator has put away for good. */
async function findStanding(
  { jobs, access, keyJobs, applications }: Repositories,
  keyId: KeyId,
  name: SandboxJobName,
): Promise<SandboxJobStanding | null> {
  const { company, leaves } = SANDBOX_JOBS[name];
  const [companyId, jobId] = [sandboxCompanyId(keyId, company), sandboxJobId(keyId, name)];
  const [[job], granted, seen, arrivals] = await Promise.all([
    jobs.find([jobId]),
    access.find(keyId, companyId),
    keyJobs.listOfCompany(keyId, companyId),
    applications.listRecent({ jobId, companyId: null, limit: ARRIVALS }),
  ]);
  const last = seen.find((row) => row.jobId === jobId);
  if (!job || job.state === 'archived' || last === undefined) return null;
  const obstacle = findObstacle({ hasAccess: isAccessActive(granted), job });
  return {
    isVisible: last.visible,
    isAway: obstacle !== null && obstacle === leaves,
    changedAt: last.changedAt,
    submittedAt: arrivals.map(({ submittedAt }) => submittedAt),
  };
}

async function moveJob(scope: Scope, keyId: KeyId, name: SandboxJobName, leaves: boolean): Promise<void> {
  const { company, leaves: reason } = SANDBOX_JOBS[name];
  const jobId = sandboxJobId(keyId, name);
  const access = { keyId, companyId: sandboxCompanyId(keyId, company) };
  switch (reason) {
    case 'closed_by_customer':
      return void (await moveJobs(scope, [jobId], leaves ? 'close' : 'reopen'));
    case 'internal_sourcing_only':
      return void (await setInternalOnly(scope, jobId, leaves));
    case 'access_revoked':
      return void (await (leaves ? revoke(scope, access) : grant(scope, access)));
    case null:
      return;
  }
}
