import type { KeyId } from '../../domain/ids.js';
import {
  SANDBOX_COMPANIES,
  SANDBOX_JOB_DETAILS,
  SANDBOX_JOB_NAMES,
  SANDBOX_JOBS,
  type SandboxCompanyName,
  type SandboxJobName,
  sandboxCompanyId,
  sandboxJobId,
} from '../../domain/sandbox-jobs.js';
import type { Repositories } from '../../ports/storage.js';
import { grant, revoke } from '../access.js';
import { registerCompany } from '../companies.js';
import { publishJobs } from '../jobs/publish-jobs.js';
import type { NewJob } from '../jobs.js';
import type { Scope } from '../scope.js';

/**
 * Gives a sandbox key what it lacks of its own companies, access and jobs; whether it lacked anything. The key
 * must be locked, or new in this transaction.
 */
export async function prepareSandbox(scope: Scope, keyId: KeyId): Promise<boolean> {
  const missing = await findMissingJobs(scope.tx, keyId);
  if (missing.length === 0) return false;
  for (const name of companyNames()) await prepareCompany(scope, keyId, name);
  await publishJobs(
    scope,
    'jobs.publishMany',
    missing.map((name) => newJob(keyId, name)),
  );
  return true;
}

/** The jobs that a sandbox key should have and has not. The jobs come last, so with them all else is there. */
export async function findMissingJobs(
  { jobs }: Pick<Repositories, 'jobs'>,
  keyId: KeyId,
): Promise<readonly SandboxJobName[]> {
  const found = await jobs.find(SANDBOX_JOB_NAMES.map((name) => sandboxJobId(keyId, name)));
  return SANDBOX_JOB_NAMES.filter((_, index) => (found[index] ?? null) === null);
}

function companyNames(): readonly SandboxCompanyName[] {
  return Object.keys(SANDBOX_COMPANIES) as readonly SandboxCompanyName[];
}

/** Access comes before the jobs: a company that has left never shows one. */
async function prepareCompany(scope: Scope, keyId: KeyId, name: SandboxCompanyName): Promise<void> {
  const { title, access } = SANDBOX_COMPANIES[name];
  const companyId = sandboxCompanyId(keyId, name);
  const isThere = (await scope.tx.companies.find(companyId)) !== null;
  if (!isThere) await registerCompany(scope, { id: companyId, name: title, environment: 'sandbox' });
  if ((await scope.tx.access.find(keyId, companyId)) !== null) return;
  await grant(scope, { keyId, companyId });
  if (access === 'revoked') await revoke(scope, { keyId, companyId });
}

function newJob(keyId: KeyId, name: SandboxJobName): NewJob {
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
