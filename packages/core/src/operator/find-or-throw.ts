import type { Company } from '../domain/access.js';
import type { ApplicationRecord } from '../domain/application.js';
import type { StoredEndpoint } from '../domain/endpoint.js';
import {
  type ApplicationId,
  type CompanyId,
  describeIdForm,
  type IdKind,
  isIdOf,
  type JobId,
  type KeyId,
  type OperationId,
} from '../domain/ids.js';
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
  return new OperatorError('KEY_NOT_FOUND', `${describeMissing('key', id)} keys.list shows all keys.`);
}

/**
 * Says that an id does not exist. Does not repeat a text that is not an id of this kind, because it may be a secret.
 */
export function describeMissing(kind: IdKind, id: string): string {
  if (isIdOf(kind, String(id)))
    return `${kind.charAt(0).toUpperCase()}${kind.slice(1)} ${id} does not exist.`;
  const article = /^[aeo]/.test(kind) ? 'an' : 'a';
  return `This is not the id of ${article} ${kind}, which is ${describeIdForm(kind)}.`;
}

/** Returns the rows of ids, or throws for the first id without a row. */
export function foundEach<Id, Row>(
  ids: readonly Id[],
  rows: readonly (Row | null)[],
  notFound: (id: Id) => OperatorError,
): readonly Row[] {
  return ids.map((id, index) => {
    const row = rows[index] ?? null;
    if (row === null) throw notFound(id);
    return row;
  });
}

/** Locks the company until the commit. Commands that change which keys see its jobs therefore run one at a time. */
export async function lockCompany({ tx }: Scope, id: CompanyId): Promise<Company> {
  const [company] = await tx.companies.findForUpdate([id]);
  if (!company) throw companyNotFound(id);
  return company;
}

export async function lockCompanies({ tx }: Scope, ids: readonly CompanyId[]): Promise<readonly Company[]> {
  return foundEach(ids, await tx.companies.findForUpdate(ids), companyNotFound);
}

export function companyNotFound(id: CompanyId): OperatorError {
  const message = `${describeMissing('company', id)} Create the company with companies.create.`;
  return new OperatorError('COMPANY_NOT_FOUND', message);
}

/** Returns jobs in the given order, with their companies locked. */
export async function lockJobs(scope: Scope, ids: readonly JobId[]): Promise<readonly Job[]> {
  const { jobs } = await lockFoundJobs(scope, ids, []);
  return foundEach(ids, jobs, jobNotFound);
}

/** Jobs in the order of their ids, and the locked companies. */
export interface LockedJobs {
  readonly jobs: readonly (Job | null)[];
  readonly companies: ReadonlyMap<CompanyId, Company>;
}

/**
 * Locks these companies and those of the jobs, in ascending order. Ids without a row are left out.
 * @param storedAt - the companies of the jobs, if the caller has just read them. This saves a query.
 */
export async function lockFoundJobs(
  { tx }: Pick<Scope, 'tx'>,
  ids: readonly JobId[],
  companyIds: readonly CompanyId[],
  storedAt?: readonly CompanyId[],
): Promise<LockedJobs> {
  const companies = new Map<CompanyId, Company>();
  const asked = new Set<CompanyId>();
  let jobs: LockedJobs['jobs'] = ids.map(() => null);
  let ofJobs = storedAt ?? companiesOf(await tx.jobs.findOutlines(ids));
  for (;;) {
    const unlocked = [...new Set([...companyIds, ...ofJobs])].filter((id) => !asked.has(id));
    if (unlocked.length === 0) return { jobs, companies };
    for (const id of unlocked) asked.add(id);
    for (const company of await tx.companies.findForUpdate(unlocked)) {
      if (company !== null) companies.set(company.id, company);
    }
    // A job may have moved meanwhile, to a company that is not locked yet.
    if (ids.length > 0) jobs = await tx.jobs.find(ids);
    ofJobs = companiesOf(jobs);
  }
}

function companiesOf(jobs: readonly (Pick<Job, 'companyId'> | null)[]): readonly CompanyId[] {
  return jobs.flatMap((job) => job?.companyId ?? []);
}

export function jobNotFound(id: JobId): OperatorError {
  return new OperatorError(
    'JOB_NOT_FOUND',
    `${describeMissing('job', id)} Publish the job with jobs.publish.`,
  );
}

export async function lockApplication({ tx }: Scope, id: ApplicationId): Promise<ApplicationRecord> {
  const [application] = await tx.applications.findForUpdate([id]);
  if (application) return application;
  throw applicationNotFound(id);
}

/** Returns applications in the given order, locked until the commit. */
export async function lockApplications(
  { tx }: Scope,
  ids: readonly ApplicationId[],
): Promise<readonly ApplicationRecord[]> {
  return foundEach(ids, await tx.applications.findForUpdate(ids), applicationNotFound);
}

export function applicationNotFound(id: ApplicationId): OperatorError {
  const message = `${describeMissing('application', id)} applications.list shows the newest ones.`;
  return new OperatorError('APPLICATION_NOT_FOUND', message);
}

export async function findEndpoint(
  { endpoints }: Pick<Repositories, 'endpoints'>,
  keyId: KeyId,
): Promise<StoredEndpoint> {
  return foundEndpoint(await endpoints.find(keyId), keyId);
}

/** Locks the endpoint until the commit. A worker must wait for this lock before it records attempts. */
export async function lockEndpoint(scope: Scope, keyId: KeyId): Promise<StoredEndpoint> {
  await lockKey(scope, keyId);
  return foundEndpoint(await scope.tx.endpoints.findForUpdate(keyId), keyId);
}

function foundEndpoint(endpoint: StoredEndpoint | null, keyId: KeyId): StoredEndpoint {
  if (endpoint !== null) return endpoint;
  const message = `Key ${keyId} has no endpoint. Create one with endpoints.setUrl.`;
  throw new OperatorError('ENDPOINT_NOT_FOUND', message);
}

export function operationNotFound(id: OperationId): OperatorError {
  const message = `${describeMissing('operation', id)} Operations are deleted some time after they ended. operations.list shows those that are left.`;
  return new OperatorError('OPERATION_NOT_FOUND', message);
}
