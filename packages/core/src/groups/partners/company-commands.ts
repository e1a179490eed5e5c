import type { Company } from '../../domain/access.js';
import type { CompanyId } from '../../domain/ids.js';
import type { Environment } from '../../domain/partner-key.js';
import { OperatorError } from '../../errors.js';
import { onHost } from '../../operator/command/claims.js';
import { type Definitions, inTransaction } from '../../operator/command/definition.js';
import {
  environment,
  flag,
  id,
  listField,
  name,
  newId,
  optional,
  page,
} from '../../operator/command/fields.js';
import { assertNotCombined, filter, record } from '../../operator/command/input.js';
import { type ForEach, type OneOrMany, oneOrMany } from '../../operator/command/one-or-many.js';
import { yieldToEventLoop } from '../../operator/event-loop.js';
import { lockCompany } from '../../operator/find-or-throw.js';
import {
  defineAgeCursors,
  type Page,
  type PageOptions,
  readPage,
  scanPage,
} from '../../operator/page-cursor.js';
import { recordAct, type Scope } from '../../operator/scope.js';
import type { AgePosition, ListPage } from '../../ports/repositories/partners.js';
import type { Repositories } from '../../ports/storage.js';
import { announceJobs } from '../jobs/announce.js';
import { MAX_COMPANIES } from './access-many.js';
import { COMPANIES_PER_READ, resolveCompanies } from './resolve-companies.js';

/** A company to create. */
export interface NewCompany {
  /** Your own id: `co_`, then 1 to 120 characters of `A-Z a-z 0-9 _ -`; default: generated. */
  readonly id?: CompanyId | undefined;
  /** 1 to 500 characters. */
  readonly name: string;
  readonly environment: Environment;
  /** Whether a company that exists already is returned as it is, with its own name; default: false, an error. */
  readonly ifMissing?: boolean | undefined;
}

/** The company after a command. */
export interface CompanyOutcome {
  readonly company: Company;
  /** False if everything was as asked, so that nothing was written. */
  readonly changed: boolean;
}

/** Selects companies. */
export interface CompanyFilter extends PageOptions {
  /** Only companies of this environment; default: of both. */
  readonly environment?: Environment | undefined;
  /**
   * Only the companies that these names or ids mean, from 1 to 1,000, without `cursor` and `limit`; default: all. Letter
   * case and blanks around a name do not matter.
   */
  readonly names?: readonly string[] | undefined;
}

/** Manages the companies that publish jobs. */
export interface CompanyCommands {
  /**
   * Creates a company in one environment, or at most 1,000, all or none, and returns one company for each, in the same
   * order. With `ifMissing`, keys can get access to the companies of your own system before these publish their first
   * job.
   * @throws OperatorError `COMPANY_EXISTS` if an id is taken; with `ifMissing`, only if it is taken in the other
   *   environment.
   * @example
   * const company = await operator.companies.create({ name: 'Warehouse Inc', environment: 'production' });
   * const known = [{ id: 'co_bistro', name: 'Bistro Nord', environment: 'production', ifMissing: true }] as const;
   * const companies = [company, ...(await operator.companies.create(known))];
   * await operator.access.grant(companies.map(({ id }) => ({ keyId, companyId: id })));
   */
  create<Given extends OneOrMany<NewCompany>>(companies: Given): Promise<ForEach<Given, Company>>;
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
   * Returns a page of companies, oldest first, 100 by default. With `names`, returns the companies that these names or
   * ids mean on one page, in the order of the names and each once; reads all companies if there is a name.
   * @throws OperatorError `COMPANY_NOT_FOUND` if one of the `names` means no company, or several; the message explains
   *   each such name.
   * @example
   * const { items: companies } = await operator.companies.list({ environment: 'production' });
   * const { items: bistros } = await operator.companies.list({ names: ['Bistro Nord', 'Bistro West'] });
   */
  list(filter?: CompanyFilter): Promise<Page<Company>>;
  /**
   * Iterates over the rows of `list` in its order. Reads each page only when the loop reaches it.
   * @example
   * for await (const { name } of operator.companies.each()) console.log(name);
   */
  each(filter?: CompanyFilter): AsyncIterable<Company>;
}

const CURSORS = defineAgeCursors<CompanyId>('companies');

const names = listField(name(), {
  min: 1,
  max: MAX_COMPANIES,
  rule: `must be a list of 1 to ${MAX_COMPANIES} names or ids of companies`,
});

/** Without an id, each call would create another company. */
function needsId({ id, ifMissing }: NewCompany) {
  return ifMissing === true && id === undefined
    ? [{ at: ['id'], rule: 'must be given together with ifMissing' }]
    : [];
}

const newCompany = {
  id: newId('company'),
  name: name(),
  environment,
  ifMissing: optional(flag, 'Returns a company that exists already as it is'),
};

export const companyDefinitions: Definitions<CompanyCommands> = {
  create: {
    summary: 'Creates a company in an environment',
    input: oneOrMany(newCompany, {
      name: 'companies',
      rule: 'one for each company',
      max: MAX_COMPANIES,
      itemRules: needsId,
    }),
    pastTense: 'added the company',
    pastTenseOfMany: 'added companies',
    right: 'companies:create',
    claims: onHost,
    run: inTransaction(createCompanies),
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
  list: {
    summary: 'Lists companies, oldest first',
    input: filter({
      environment: optional(environment, 'Only those of this environment'),
      names: optional(names),
      ...page,
    }),
    right: 'companies:read',
    claims: onHost,
    run: ({ read }, asked) => listCompanies(read, asked),
  },
};

async function listCompanies(
  read: Repositories,
  { environment, names, ...page }: CompanyFilter,
): Promise<Page<Company>> {
  if (names !== undefined) {
    assertNotCombined({ names, ...page }, 'All companies of `names` are on one page.');
    return { items: await resolveCompanies(read, names, environment), nextCursor: null };
  }
  const list = (start: ListPage<AgePosition<CompanyId>>) => read.companies.list(start);
  if (environment === undefined) return readPage(CURSORS, [], page, list);
  return scanPage<AgePosition<CompanyId>, Company>(CURSORS, [environment], page, {
    list: (start) => yieldToEventLoop().then(() => list(start)),
    isKept: (company) => company.environment === environment,
    most: Number.POSITIVE_INFINITY,
    atOnce: COMPANIES_PER_READ,
  });
}

/** Creates all companies, or none. Those with `ifMissing` that exist are returned as they are. */
export async function createCompanies(
  scope: Scope,
  inputs: readonly NewCompany[],
): Promise<readonly Company[]> {
  const { tx, runtime, now } = scope;
  const createdAt = await now();
  const asked = inputs.map(({ id = runtime.ids.next('company'), name, environment, ifMissing }) => ({
    id,
    name,
    environment,
    createdAt,
    ifMissing,
  }));
  const ids = asked.map(({ id }) => id);
  let stored = await lockStored(scope, ids);
  let missing = missingOf(asked, stored);
  // Transactions that lock several companies lock them in the order of their ids.
  const added = new Set(
    await tx.companies.addMissing(missing.toSorted((one, other) => (one.id < other.id ? -1 : 1))),
  );
  if (added.size < missing.length) {
    // Another transaction has created the others meanwhile.
    stored = await lockStored(
      scope,
      ids.filter((id) => !added.has(id)),
    );
    missing = missingOf(asked, stored);
  }
  recordCreated(scope, missing);
  const companies = new Map([...stored.values(), ...missing].map((company) => [company.id, company]));
  return ids.flatMap((id) => companies.get(id) ?? []);
}

type Stored = ReadonlyMap<CompanyId, Company>;

async function lockStored({ tx }: Scope, ids: readonly CompanyId[]): Promise<Stored> {
  const found = await tx.companies.findForUpdate(ids);
  return new Map(found.flatMap((company) => (company === null ? [] : [[company.id, company]])));
}

/** @throws OperatorError `COMPANY_EXISTS` */
function missingOf(
  asked: readonly (Company & Pick<NewCompany, 'ifMissing'>)[],
  stored: Stored,
): readonly Company[] {
  const missing = new Map<CompanyId, Company>();
  for (const { ifMissing = false, ...company } of asked) {
    const existing = stored.get(company.id) ?? missing.get(company.id);
    if (existing === undefined) missing.set(company.id, company);
    else if (!ifMissing || existing.environment !== company.environment)
      throw companyExists(existing, ifMissing);
  }
  return [...missing.values()];
}

function companyExists({ id, environment }: Company, ifMissing: boolean): OperatorError {
  const message = ifMissing
    ? `Company ${id} exists in the environment ${environment}. Choose another id.`
    : `Company ${id} already exists. Rename it with companies.rename.`;
  return new OperatorError('COMPANY_EXISTS', message);
}

function recordCreated(scope: Scope, created: readonly Company[]): void {
  const [first, ...others] = created.map(({ id }) => ({ kind: 'company', id }) as const);
  const [only] = created;
  if (first === undefined || only === undefined) return;
  const { name, environment } = only;
  if (others.length === 0) recordAct(scope, { objects: [first], after: { name, environment } });
  else recordAct(scope, { objects: [first, ...others], count: created.length });
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
