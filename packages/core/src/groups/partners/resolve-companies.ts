import type { Company } from '../../domain/access.js';
import { type CompanyId, isIdOf } from '../../domain/ids.js';
import type { Environment } from '../../domain/partner-key.js';
import { OperatorError } from '../../errors.js';
import { yieldToEventLoop } from '../../operator/event-loop.js';
import type { Repositories } from '../../ports/storage.js';

type Reading = Pick<Repositories, 'companies'>;

/** Two companies may have the same name. */
type CompaniesByName = ReadonlyMap<string, readonly Company[]>;

/**
 * Returns the companies that names or ids mean, in this order and each once.
 * @throws OperatorError `COMPANY_NOT_FOUND`, which names each unknown and each ambiguous name.
 */
export async function resolveCompanies(
  read: Reading,
  names: readonly string[],
  environment: Environment | undefined,
): Promise<readonly Company[]> {
  const ids = names.filter(isId);
  const found = await read.companies.findMany(ids);
  const byId = new Map(
    found.flatMap((company) => (company === null ? [] : [[company.id, company] as const])),
  );
  const byName = ids.length === names.length ? new Map() : await indexByName(read, environment);
  const problems: string[] = [];
  const companies = new Map<CompanyId, Company>();
  for (const name of names) {
    const meant = isId(name) ? [byId.get(name)].filter(isOf(environment)) : (byName.get(formOf(name)) ?? []);
    const [company, ...others] = meant;
    if (company === undefined) problems.push(unknown(name, environment, byName));
    else if (others.length > 0) problems.push(ambiguous(name, meant));
    else companies.set(company.id, company);
  }
  if (problems.length > 0) throw new OperatorError('COMPANY_NOT_FOUND', problems.join(' '));
  return [...companies.values()];
}

function isId(name: string): name is CompanyId {
  return isIdOf('company', name);
}

/** Accepts the companies of an environment, or of both. */
function isOf(environment: Environment | undefined) {
  return (company: Company | undefined): company is Company =>
    company !== undefined && (environment === undefined || company.environment === environment);
}

export const COMPANIES_PER_READ = 1_000;

async function indexByName(read: Reading, environment: Environment | undefined): Promise<CompaniesByName> {
  const byName = new Map<string, Company[]>();
  let after: Company | null = null;
  for (;;) {
    const page: readonly Company[] = await read.companies.list({ after, limit: COMPANIES_PER_READ });
    for (const company of page.filter(isOf(environment))) {
      const form = formOf(company.name);
      byName.set(form, [...(byName.get(form) ?? []), company]);
    }
    if (page.length < COMPANIES_PER_READ) return byName;
    after = page.at(-1) ?? null;
    await yieldToEventLoop();
  }
}

/** The same letters in any case, with single blanks. */
function formOf(name: string): string {
  return name.normalize('NFKC').trim().replace(/\s+/g, ' ').toLowerCase();
}

const MOST_NAMED = 3;
/** A mistyped name usually begins as it should. */
const ALIKE_LETTERS = 3;

function unknown(name: string, environment: Environment | undefined, byName: CompaniesByName): string {
  const start = formOf(name).slice(0, ALIKE_LETTERS);
  const near = [...byName].filter(([each]) => each.startsWith(start));
  const names = near.flatMap(([, [company]]) => company?.name ?? []).slice(0, MOST_NAMED);
  const hint = names.length === 0 ? '' : ` Did you mean ${names.map((each) => `"${each}"`).join(' or ')}?`;
  const kind = environment === undefined ? 'company' : `${environment} company`;
  return `There is no ${kind} "${name}".${hint}`;
}

function ambiguous(name: string, meant: readonly Company[]): string {
  const ids = meant.slice(0, MOST_NAMED).map(({ id }) => id);
  return `Several companies are called "${name}", such as ${ids.join(' and ')}. Write the id.`;
}
