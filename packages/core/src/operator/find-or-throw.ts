import type { Company } from '../domain/access.js';
import type { ApplicationRecord } from '../domain/application.js';
import type { Endpoint } from '../domain/endpoint.js';
import { type ApplicationId, type CompanyId, isIdOf, type JobId, type KeyId } from '../domain/ids.js';
import type { Job } from '../domain/job.js';
import type { PartnerKey } from '../domain/partner-key.js';
import { OperatorError } from '../errors.js';
import type { Repositories } from '../ports/storage.js';
import type { Scope } from './scope.js';

export async function findKey({ tx }: Scope, id: KeyId): Promise<PartnerKey> {
  return foundKey(await tx.keys.find(id), id);
}

/** Locks the key until the commit, so that a rotation cannot undo a revocation. */
export async function lockKey({ tx }: Scope, id: KeyId): Promise<PartnerKey> {
  return foundKey(await tx.keys.findForUpdate(id), id);
}

function foundKey(key: PartnerKey | null, id: KeyId): PartnerKey {
  if (key !== null) return key;
  throw keyNotFound(id);
}

export function keyNotFound(id: KeyId): OperatorError {
  // The text may be the key's secret, so the message must not repeat it.
  const problem = isIdOf('key', String(id)) ? `Key ${id} does not exist.` : 'This is not the id of a key.';
  return new OperatorError('KEY_NOT_FOUND', `${problem} keys.list shows all keys.`);
}

/**
 * Locks the company until the commit. Commands that change who sees its jobs therefore run one at a time.
 */
export async function lockCompany({ tx }: Scope, id: CompanyId): Promise<Company> {
  const [company] = await tx.companies.findForUpdate([id]);
  if (!company) throw companyNotFound(id);
  return company;
}

export async function lockCompanies({ tx }: Scope, ids: readonly CompanyId[]): Promise<void> {
  const companies = await tx.companies.findForUpdate(ids);
  for (const [index, id] of ids.entries()) if (!companies[index]) throw companyNotFound(id);
}

export function companyNotFound(id: CompanyId): OperatorError {
  const message = `Company ${id} does not exist. Register it with companies.register.`;
  return new OperatorError('COMPANY_NOT_FOUND', message);
}

/** Returns jobs in the given order, with their companies locked. */
export async function lockJobs(scope: Scope, ids: readonly JobId[]): Promise<readonly Job[]> {
  const found = await findJobs(scope, ids);
  await lockCompanies(scope, [...new Set(found.map(({ companyId }) => companyId))]);
  return findJobs(scope, ids);
}

export async function lockJob(scope: Scope, id: JobId): Promise<Job> {
  const [job] = await lockJobs(scope, [id]);
  if (job === undefined) throw jobNotFound(id);
  return job;
}

async function findJobs({ tx }: Scope, ids: readonly JobId[]): Promise<readonly Job[]> {
  const found = await tx.jobs.find(ids);
  return ids.map((id, index) => {
    const job = found[index];
    if (!job) throw jobNotFound(id);
    return job;
  });
}

export function jobNotFound(id: JobId): OperatorError {
  return new OperatorError('JOB_NOT_FOUND', `Job ${id} does not exist. Publish it with jobs.publish.`);
}

export async function lockApplication({ tx }: Scope, id: ApplicationId): Promise<ApplicationRecord> {
  const [application] = await tx.applications.findForUpdate([id]);
  if (application) return application;
  throw applicationNotFound(id);
}

export function applicationNotFound(id: ApplicationId): OperatorError {
  const message = `Application ${id} does not exist. applications.list shows the newest ones.`;
  return new OperatorError('APPLICATION_NOT_FOUND', message);
}

export async function findEndpoint(
  { endpoints }: Pick<Repositories, 'endpoints'>,
  keyId: KeyId,
): Promise<Endpoint> {
  return foundEndpoint(await endpoints.find(keyId), keyId);
}

/** Locks the endpoint until the commit. A worker must wait for this lock before it records attempts. */
export async function lockEndpoint(scope: Scope, keyId: KeyId): Promise<Endpoint> {
  await lockKey(scope, keyId);
  return foundEndpoint(await scope.tx.endpoints.findForUpdate(keyId), keyId);
}

function foundEndpoint(endpoint: Endpoint | null, keyId: KeyId): Endpoint {
  if (endpoint !== null) return endpoint;
  const message = `Key ${keyId} has no endpoint. Create one with endpoints.setUrl.`;
  throw new OperatorError('ENDPOINT_NOT_FOUND', message);
}
