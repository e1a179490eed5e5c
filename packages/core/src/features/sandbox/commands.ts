import { findObstacle, isAccessActive } from '../../domain/access.js';
import { isTerminal } from '../../domain/application.js';
import type { Act } from '../../domain/audit.js';
import type { ApplicationId, KeyId } from '../../domain/ids.js';
import { PAGE_LIMIT, updatedThrough } from '../../domain/page.js';
import type { Instant } from '../../domain/time.js';
import { OperatorError } from '../../errors.js';
import { moveApplications } from '../../groups/applications/move-applications.js';
import { moveJobs, setVisibility } from '../../groups/jobs/change-job.js';
import { type NewJob, publishJobs } from '../../groups/jobs/publish-jobs.js';
import { grantAccesses, revokeAccesses } from '../../groups/partners/access-many.js';
import { createCompanies } from '../../groups/partners/company-commands.js';
import { onKey } from '../../operator/command/claims.js';
import type { Definitions } from '../../operator/command/definition.js';
import { id } from '../../operator/command/fields.js';
import { record } from '../../operator/command/input.js';
import { lockCompany, lockKey } from '../../operator/find-or-throw.js';
import { type Runner, recordAct, type Scope, withinAct } from '../../operator/scope.js';
import type { Repositories } from '../../ports/storage.js';
import {
  SANDBOX_COMPANIES,
  SANDBOX_JOB_DETAILS,
  SANDBOX_JOB_NAMES,
  SANDBOX_JOBS,
  type SandboxCompanyName,
  type SandboxJobName,
  sandboxCompanyId,
  sandboxJobId,
} from './job-rules.js';
import type { SandboxPlan, SandboxStepper } from './service.js';
import {
  isStepDue,
  nextApplicationMove,
  nextJobMove,
  type SandboxJobStanding,
  type SandboxStep,
} from './step-rules.js';

/** Manages the sandboxes of keys. Requires the option `sandbox: true`. */
export interface SandboxCommands {
  /**
   * Creates the sandbox companies and jobs that a key lacks. The worker does the same for keys that were issued before
   * the sandbox was enabled.
   * @throws OperatorError `KEY_NOT_FOUND`; `ENVIRONMENT_MISMATCH` if the key is for production; `MISCONFIGURED` if the
   *   option `sandbox` is not set.
   * @example
   * const { changed } = await operator.sandbox.prepare({ keyId });
   */
  prepare(target: { readonly keyId: KeyId }): Promise<{ readonly changed: boolean }>;
}

export const sandboxDefinitions: Definitions<SandboxCommands> = {
  prepare: {
    summary: 'Creates the sandbox companies and jobs that a key lacks',
    input: record({ keyId: id('key') }),
    pastTense: 'prepared the sandbox',
    right: 'sandbox:prepare',
    claims: onKey,
    run: ({ commit }, { keyId }) => commit((scope) => prepare(scope, keyId)),
  },
};

async function prepare(scope: Scope, keyId: KeyId): Promise<{ readonly changed: boolean }> {
  if (!scope.sandbox) {
    const message = 'The sandbox is disabled. Pass `sandbox: true` to createPartnerHiring.';
    throw new OperatorError('MISCONFIGURED', message);
  }
  const { environment } = await lockKey(scope, keyId);
  if (environment !== 'sandbox') {
    const message = `${keyId} is a ${environment} key. Issue the partner a sandbox key and prepare that one.`;
    throw new OperatorError('ENVIRONMENT_MISMATCH', message);
  }
  return { changed: await prepareSandbox(scope, keyId) };
}

/** Creates the jobs that the sandbox lacks. Returns whether it lacked any. Lock the key before the call. */
export async function prepareSandbox(scope: Scope, keyId: KeyId): Promise<boolean> {
  const missing = await findMissingJobs(scope.tx, keyId);
  if (missing.length === 0) return false;
  const parts = withinAct(scope);
  for (const name of Object.keys(SANDBOX_COMPANIES) as readonly SandboxCompanyName[])
    await prepareCompany(parts, keyId, name);
  const jobs = missing.map((name) => newSandboxJob(keyId, name));
  await publishJobs(parts, jobs);
  recordAct(scope, { objects: [{ kind: 'key', id: keyId }], keyId, after: { newJobs: jobs.length } });
  return true;
}

/** Returns the missing jobs of the sandbox. Jobs are created last: if all exist, the sandbox is complete. */
async function findMissingJobs(
  { jobs }: Pick<Repositories, 'jobs'>,
  keyId: KeyId,
): Promise<readonly SandboxJobName[]> {
  const found = await jobs.find(SANDBOX_JOB_NAMES.map((name) => sandboxJobId(keyId, name)));
  return SANDBOX_JOB_NAMES.filter((_, index) => (found[index] ?? null) === null);
}

/**
 * Creates a company of the sandbox. Call it before the jobs are published, so that a company without access
 * never shows a job.
 */
async function prepareCompany(scope: Scope, keyId: KeyId, name: SandboxCompanyName): Promise<void> {
  const { title, access } = SANDBOX_COMPANIES[name];
  const companyId = sandboxCompanyId(keyId, name);
  await createCompanies(scope, [{ id: companyId, name: title, environment: 'sandbox', ifMissing: true }]);
  if ((await scope.tx.access.find(keyId, companyId)) !== null) return;
  await grantAccesses(scope, [{ keyId, companyId }]);
  if (access === 'revoked') await revokeAccesses(scope, [{ keyId, companyId }]);
}

function newSandboxJob(keyId: KeyId, name: SandboxJobName): NewJob {
  const { company, title, applicationFormSchema, internalOnly } = SANDBOX_JOBS[name];
  return {
    ...SANDBOX_JOB_DETAILS,
    id: sandboxJobId(keyId, name),
    companyId: sandboxCompanyId(keyId, company),
    title,
    applicationFormSchema,
    internalOnly,
  };
}

export function createSandboxStepper({ run, read }: Runner): SandboxStepper {
  return {
    prepare: async (keyId) => {
      if ((await findMissingJobs(read, keyId)).length === 0) return;
      await run('sandbox.prepare', async (scope) => {
        await lockKey(scope, keyId);
        await prepareSandbox(scope, keyId);
      });
    },
    plan: (keyId, after) => planSteps(read, keyId, after),
    take: (step) =>
      run(null, (scope) =>
        step.kind === 'application' ? takeApplication(scope, step.id) : takeJob(scope, step.keyId, step.name),
      ),
  };
}

async function planSteps(read: Repositories, keyId: KeyId, after: Instant): Promise<SandboxPlan> {
  const everything = { updatedSince: null, companyId: null, status: null, limit: PAGE_LIMIT.max };
  const page = await read.applications.page({ keyId, after, ...everything });
  const undecided = page.rows.filter(({ status }) => !isTerminal(status)).map(({ id }) => id);
  const [applications, jobs] = await Promise.all([planApplications(read, undecided), planJobs(read, keyId)]);
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
  const steps = leaving.map(async (name): Promise<readonly SandboxStep[]> => {
    const standing = await findStanding(read, keyId, name);
    const next = standing && nextJobMove(standing);
    return next ? [{ kind: 'job', keyId, name, dueAt: next.dueAt }] : [];
  });
  return (await Promise.all(steps)).flat();
}

/** Decides the next move again under the lock, because the application may have moved meanwhile. */
async function takeApplication(scope: Scope, id: ApplicationId): Promise<Instant | null> {
  const [application] = await scope.tx.applications.findForUpdate([id]);
  const next = application ? nextApplicationMove(application) : null;
  if (next === null) return null;
  if (!isStepDue(next.dueAt, await scope.now())) return next.dueAt;
  const act = isTerminal(next.move.to) ? 'applications.decide' : 'applications.move';
  await moveApplications({ ...scope, act }, [{ id, move: next.move }]);
  return null;
}

async function takeJob(scope: Scope, keyId: KeyId, name: SandboxJobName): Promise<Instant | null> {
  await lockCompany(scope, sandboxCompanyId(keyId, SANDBOX_JOBS[name].company));
  const standing = await findStanding(scope.tx, keyId, name);
  const next = standing && nextJobMove(standing);
  if (!next) return null;
  if (!isStepDue(next.dueAt, await scope.now())) return next.dueAt;
  await moveJob(scope, keyId, name, next.move === 'leave');
  return null;
}

/**
 * The maximum number of submissions to read per job. The rate limit allows fewer than this before the sandbox hides the
 * job.
 */
const MAX_ARRIVALS = 100;

async function findStanding(
  { jobs, access, keyJobs, applications }: Repositories,
  keyId: KeyId,
  name: SandboxJobName,
): Promise<SandboxJobStanding | null> {
  const { company, leaves } = SANDBOX_JOBS[name];
  const companyId = sandboxCompanyId(keyId, company);
  const jobId = sandboxJobId(keyId, name);
  const [[job], granted, seen, arrivals] = await Promise.all([
    jobs.find([jobId]),
    access.find(keyId, companyId),
    keyJobs.listOfCompany(keyId, companyId),
    applications.listNewest({ scope: { jobId }, limit: MAX_ARRIVALS }),
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
  const id = sandboxJobId(keyId, name);
  const access = { keyId, companyId: sandboxCompanyId(keyId, company) };
  const as = (act: Act): Scope => ({ ...scope, act });
  switch (reason) {
    case 'closed_by_customer':
      return void (await (leaves
        ? moveJobs(as('jobs.close'), [{ id }], 'close')
        : moveJobs(as('jobs.reopen'), [{ id }], 'reopen')));
    case 'internal_sourcing_only':
      return void (await setVisibility(as('jobs.setVisibility'), [
        { id, visibility: leaves ? 'internal_only' : 'public' },
      ]));
    case 'access_revoked':
      return void (await (leaves
        ? revokeAccesses(as('access.revoke'), [access])
        : grantAccesses(as('access.grant'), [access])));
    case null:
      return;
  }
}
