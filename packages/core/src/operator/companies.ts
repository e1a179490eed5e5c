import type { Company } from '../domain/access.js';
import type { CompanyId } from '../domain/ids.js';
import { type Environment, SECRET_PREFIXES } from '../domain/partner-key.js';
import { OperatorError } from '../errors.js';
import { announceJobs } from './announce.js';
import { inspect, inspectChoice, inspectName, inspectNewId } from './input/inspection.js';
import type { Runner, Scope } from './scope.js';

/** An employer to offer jobs of. */
export interface NewCompany {
  /** The host's own id: `co_`, then 1 to 120 of `A-Z a-z 0-9 _ -`; one is made if it is left out. */
  readonly id?: CompanyId;
  readonly name: string;
  /** Whom it is for: a key sees only companies of its own world. */
  readonly environment: Environment;
}

/** A company after a command, and whether the command changed it. */
export interface CompanyOutcome {
  readonly company: Company;
  readonly changed: boolean;
}

/** Which employers exist. */
export interface CompanyCommands {
  /** @throws OperatorError `INVALID_INPUT`, or `COMPANY_EXISTS` if the id is taken. */
  register(company: NewCompany): Promise<Company>;
  /**
   * Changes the name. It is part of each of its jobs, so keys that see them find them updated.
   *
   * @throws OperatorError `INVALID_INPUT` or `COMPANY_NOT_FOUND`.
   */
  rename(company: { readonly id: CompanyId; readonly name: string }): Promise<CompanyOutcome>;
  /** The company, or null. */
  find(company: { readonly id: CompanyId }): Promise<Company | null>;
  /** All companies of both worlds, oldest first. */
  list(): Promise<readonly Company[]>;
}

/** Builds the commands about companies. */
export function companyCommands({ run, read }: Runner): CompanyCommands {
  return {
    register: (company) => run((scope) => registerCompany(scope, company)),
    rename: (company) => run((scope) => renameCompany(scope, company)),
    find: ({ id }) => read.companies.find(id),
    list: () => read.companies.list(),
  };
}

/**
 * The company, locked: commands that change who sees its jobs take turns on it.
 *
 * @throws OperatorError `COMPANY_NOT_FOUND`.
 */
export async function lockCompany({ tx }: Scope, id: CompanyId): Promise<Company> {
  const [company] = await tx.companies.findForUpdate([id]);
  if (company === null || company === undefined) throw companyNotFound(id);
  return company;
}

/** Locks several companies in one call. @throws OperatorError `COMPANY_NOT_FOUND`. */
export async function lockCompanies({ tx }: Scope, ids: readonly CompanyId[]): Promise<void> {
  const companies = await tx.companies.findForUpdate(ids);
  for (const [index, id] of ids.entries()) if (!companies[index]) throw companyNotFound(id);
}

/** What a command throws that names an unknown company. */
function companyNotFound(id: CompanyId): OperatorError {
  return new OperatorError('COMPANY_NOT_FOUND', `There is no company ${id}. Register it first.`);
}

/** Registers a company. Throws what `CompanyCommands` says. */
export async function registerCompany({ tx, runtime, now }: Scope, input: NewCompany): Promise<Company> {
  const inspection = inspect('companies.register');
  inspectName(inspection, input.name, 'name');
  inspectNewId(inspection, 'company', input.id);
  inspectChoice(inspection, input.environment, 'environment', Object.keys(SECRET_PREFIXES));
  inspection.end();
  const { id = runtime.ids.next('company'), name, environment } = input;
  const company = { id, name, environment, createdAt: await now() };
  if ((await tx.companies.add(company)) === 'exists') {
    throw new OperatorError('COMPANY_EXISTS', `The company ${id} exists. Use companies.rename to rename it.`);
  }
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
  return { company: renamed, changed: true };
}
