import type { Company } from '../domain/access.js';
import type { CompanyId } from '../domain/ids.js';
import type { Environment } from '../domain/partner-key.js';
import { OperatorError } from '../errors.js';
import { MAX_COMPANIES } from './access-many.js';
import { announceJobs } from './announce.js';
import { onHost } from './command/claims.js';
import { type Definitions, inTransaction } from './command/definition.js';
import { environment, id, listField, name, newId, page, prefixedId } from './command/fields.js';
import { filter, object, record } from './command/input.js';
import { lockCompany } from './find-or-throw.js';
import { defineAgeCursors, type Page, type PageOptions, readPage } from './page-cursor.js';
import { type CompanyNames, resolveCompanies } from './resolve-companies.js';
import type { Scope } from './scope.js';
import { recordAct } from './scope.js';

/** A company to create. */
export interface NewCompany {
  /** Your own id: `co_`, then 1 to 120 characters of `A-Z a-z 0-9 _ -`; default: generated. */
  readonly id?: CompanyId | undefined;
  /** 1 to 500 characters. */
  readonly name: string;
  readonly environment: Environment;
}

/** Companies that exist in your own system. */
export interface KnownCompanies {
  /** 1 to 1,000. */
  readonly companies: readonly { readonly id: CompanyId; readonly name: string }[];
  readonly environment: Environment;
}

/** The company after a command. */
export interface CompanyOutcome {
  readonly company: Company;
  /** False if everything was as asked, so that nothing was written. */
  readonly changed: boolean;
}

/** Manages the companies that publish jobs. */
export interface CompanyCommands {
  /**
   * Creates a company in one environment.
   * @throws OperatorError `COMPANY_EXISTS` if the id is taken.
   * @example
   * const company = await operator.companies.create({ name: 'Warehouse Inc', environment: 'production' });
   * await operator.access.grant({ keyId, companyId: company.id });
   */
  create(company: NewCompany): Promise<Company>;
  /**
   * Creates those of several companies that do not exist, in one transaction, and returns only these, at most 1,000. So
   * keys can get access to companies before these publish their first job. The names of the others stay.
   * @throws OperatorError `COMPANY_EXISTS` if an id is taken in the other environment.
   * @example
   * const companies = [{ id: 'co_bistro', name: 'Bistro Nord' }] as const;
   * await operator.companies.createMissing({ companies, environment: 'production' });
   * await operator.access.grant(companies.map(({ id }) => ({ keyId, companyId: id })));
   */
  createMissing(known: KnownCompanies): Promise<readonly Company[]>;
  /**
   * Renames a company. Its open jobs count as updated for every key that sees them.
   * @throws OperatorError `COMPANY_NOT_FOUND`.
   * @example
   * const { changed } = await operator.companies.rename({ id: companyId, name: 'Warehouse Group' });
   */
  rename(company: { readonly id: CompanyId; readonly name: string }): Promise<CompanyOutcome>;
  /**
   * Returns the company, or null.
   * @example
   * const company = await operator.companies.find({ id: companyId });
   */
  find(company: { readonly id: CompanyId }): Promise<Company | null>;
  /**
   * Returns a page of the companies of both environments, oldest first, 100 by default.
   * @example
   * const { items: companies } = await operator.companies.list();
   * const live = companies.filter(({ environment }) => environment === 'production');
   */
  list(page?: PageOptions): Promise<Page<Company>>;
  /**
   * Returns the companies of an environment that these names or ids mean, at most 1,000, in this order and each once.
   * Letter case and blanks around a name do not matter. Reads all companies if there is a name.
   * @throws OperatorError `COMPANY_NOT_FOUND` if a name means no company, or several; the message explains each such
   *   name.
   * @example
   * const companies = await operator.companies.resolve({ names: ['Bistro Nord'], environment: 'production' });
   */
  resolve(asked: CompanyNames): Promise<readonly Company[]>;
  /**
   * Iterates over the rows of `list` in its order. Reads each page only when the loop reaches it.
   * @example
   * for await (const { name } of operator.companies.each()) console.log(name);
   */
  each(page?: PageOptions): AsyncIterable<Company>;
}

const CURSORS = defineAgeCursors<CompanyId>('companies');

const names = listField(name(), {
  min: 1,
  max: MAX_COMPANIES,
  rule: `must be a list of 1 to ${MAX_COMPANIES} names or ids of companies`,
});

const knownCompanies = listField(object({ id: prefixedId('company'), name: name() }), {
  min: 1,
  max: MAX_COMPANIES,
  rule: `must be a list of 1 to ${MAX_COMPANIES} companies, each { id, name }`,
});

export const companyDefinitions: Definitions<CompanyCommands> = {
  create: {
    summary: 'Creates a company in an environment',
    input: record({ id: newId('company'), name: name(), environment }),
    pastTense: 'added the company',
    right: 'companies:create',
    claims: onHost,
    run: inTransaction(registerCompany),
  },
  createMissing: {
    summary: 'Creates those of several companies that do not exist',
    input: record({ companies: knownCompanies, environment }),
    pastTense: 'added companies',
    right: 'companies:create',
    claims: onHost,
    run: inTransaction(createMissing),
  },
  rename: {
    summary: 'Renames a company and updates its jobs for partners',
    input: record({ id: id('company'), name: name() }),
    pastTense: 'renamed the company',
    right: 'companies:rename',
    claims: onHost,
    run: inTransaction(renameCompany),
  },
  find: {
    summary: 'Shows a company',
    input: record({ id: id('company') }),
    right: 'companies:read',
    claims: (company) => [{ on: 'company', id: company.id }],
    run: ({ read }, company) => read.companies.find(company.id),
  },
  resolve: {
    summary: 'Finds companies by their names or ids',
    input: record({ names, environment }),
    right: 'companies:read',
    claims: onHost,
    run: ({ read }, asked) => resolveCompanies(read, asked),
  },
  list: {
    summary: 'Lists companies, oldest first',
    input: filter(page),
    right: 'companies:read',
    claims: onHost,
    run: ({ read }, asked) => readPage(CURSORS, [], asked, (start) => read.companies.list(start)),
  },
};

export async function registerCompany(scope: Scope, input: NewCompany): Promise<Company> {
  const { tx, runtime, now } = scope;
  const { id = runtime.ids.next('company'), name, environment } = input;
  const company = { id, name, environment, createdAt: await now() };
  if ((await tx.companies.add(company)) === 'exists') {
    const message = `Company ${id} already exists. Rename it with companies.rename.`;
    throw new OperatorError('COMPANY_EXISTS', message);
  }
  recordAct(scope, { objects: [{ kind: 'company', id }], after: { name, environment } });
  return company;
}

async function createMissing(
  scope: Scope,
  { companies, environment }: KnownCompanies,
): Promise<readonly Company[]> {
  const { tx, now } = scope;
  const names = new Map(companies.map(({ id, name }) => [id, name]));
  const ids = [...names.keys()].toSorted();
  const found = await tx.companies.findForUpdate(ids);
  const other = found.find((company) => company !== null && company.environment !== environment);
  if (other) {
    const message = `Company ${other.id} exists in the environment ${other.environment}. Choose another id.`;
    throw new OperatorError('COMPANY_EXISTS', message);
  }
  const createdAt = await now();
  const missing = ids
    .filter((_, index) => !found[index])
    .map((id) => ({ id, name: names.get(id) ?? '', environment, createdAt }));
  const [first, ...others] = missing.map(({ id }) => ({ kind: 'company', id }) as const);
  if (first === undefined) return [];
  await tx.companies.addMissing(missing);
  recordAct(scope, { objects: [first, ...others], count: missing.length, after: { environment } });
  return missing;
}

async function renameCompany(
  scope: Scope,
  { id, name }: { readonly id: CompanyId; readonly name: string },
): Promise<CompanyOutcome> {
  const company = await lockCompany(scope, id);
  if (company.name === name) return { company, changed: false };
  const renamed = { ...company, name };
  await scope.tx.companies.save(renamed);
  await announceJobs(scope, await scope.tx.jobs.listOfCompany(id, 'open'));
  const before = { name: company.name };
  const after = { name };
  recordAct(scope, { objects: [{ kind: 'company', id }], before, after });
  return { company: renamed, changed: true };
}
