import type { Company } from '../domain/access.js';
import type { CompanyId } from '../domain/ids.js';
import { type Environment, SECRET_PREFIXES } from '../domain/partner-key.js';
import { OperatorError } from '../errors.js';
import { announceJobs } from './announce.js';
import type { WithoutEach } from './each.js';
import { lockCompany } from './find-or-throw.js';
import { inspect, inspectChoice, inspectName, inspectNewId } from './input.js';
import { defineAgeCursors, type Page, type PageOptions, readPage } from './page-cursor.js';
import { recordAct } from './record-act.js';
import type { Runner, Scope } from './scope.js';

/** A company to create. */
export interface NewCompany {
  /** The company's id: `co_`, then 1 to 120 characters of `A-Z a-z 0-9 _ -`. If omitted, it is generated. */
  readonly id?: CompanyId | undefined;
  /** 1 to 500 characters. */
  readonly name: string;
  readonly environment: Environment;
}

/** The company after a command. */
export interface CompanyOutcome {
  readonly company: Company;
  readonly changed: boolean;
}

/** Manages the companies that publish jobs. */
export interface CompanyCommands {
  /**
   * Creates a company in one environment.
   * @throws OperatorError `INVALID_INPUT`, or `COMPANY_EXISTS` if the id is taken.
   * @example
   * const company = await operator.companies.create({ name: 'Warehouse Inc', environment: 'production' });
   * await operator.access.grant({ keyId, companyId: company.id });
   */
  create(company: NewCompany): Promise<Company>;
  /**
   * Renames a company. Its open jobs count as updated for every key that sees them.
   * @throws OperatorError `INVALID_INPUT` or `COMPANY_NOT_FOUND`.
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
   * @throws OperatorError `INVALID_INPUT`.
   * @example
   * const { items: companies } = await operator.companies.list();
   * const live = companies.filter(({ environment }) => environment === 'production');
   */
  list(page?: PageOptions): Promise<Page<Company>>;
  /**
   * Iterates over what `list` returns, in its order: reads the next page when it is needed, and none after `break`.
   * @throws OperatorError `INVALID_INPUT`.
   * @example
   * for await (const { name } of operator.companies.each()) console.log(name);
   */
  each(page?: PageOptions): AsyncIterable<Company>;
}

const CURSORS = defineAgeCursors<CompanyId>('companies.list', 'companies');

export function companyCommands({ run, read }: Runner): WithoutEach<CompanyCommands> {
  return {
    create: (company) => run('companies.create', (scope) => registerCompany(scope, company)),
    rename: (company) => run('companies.rename', (scope) => renameCompany(scope, company)),
    find: ({ id }) => read.companies.find(id),
    list: async (page) => {
      return readPage(CURSORS, [], page ?? {}, (start) => read.companies.list(start));
    },
  };
}

export async function registerCompany(scope: Scope, input: NewCompany): Promise<Company> {
  const { tx, runtime, now } = scope;
  const inspection = inspect('companies.create');
  inspectName(inspection, input.name, 'name');
  inspectNewId(inspection, 'company', input.id);
  inspectChoice(inspection, input.environment, 'environment', Object.keys(SECRET_PREFIXES));
  inspection.end();
  const { id = runtime.ids.next('company'), name, environment } = input;
  const company = { id, name, environment, createdAt: await now() };
  if ((await tx.companies.add(company)) === 'exists') {
    const message = `Company ${id} already exists. Rename it with companies.rename.`;
    throw new OperatorError('COMPANY_EXISTS', message);
  }
  recordAct(scope, { objects: [{ kind: 'company', id }], after: { name, environment } });
  return company;
}

async function renameCompany(
  scope: Scope,
  { id, name }: { readonly id: CompanyId; readonly name: string },
): Promise<CompanyOutcome> {
  const inspection = inspect('companies.rename');
  inspectName(inspection, name, 'name');
  inspection.end();
  const company = await lockCompany(scope, id);
  if (company.name === name) return { company, changed: false };
  const renamed = { ...company, name };
  await scope.tx.companies.save(renamed);
  await announceJobs(scope, await scope.tx.jobs.listOfCompany(id, 'open'));
  const [before, after] = [{ name: company.name }, { name }];
  recordAct(scope, { objects: [{ kind: 'company', id }], before, after });
  return { company: renamed, changed: true };
}
