import type { Company } from '../../domain/access.js';
import type { CompanyId } from '../../domain/ids.js';
import type { Job } from '../../domain/job.js';
import type { Instant } from '../../domain/time.js';
import type { Scope } from '../../operator/scope.js';

/** The names of companies that rows give. */
export type CompanyNamesById = ReadonlyMap<CompanyId, string>;

/** Returns the production companies to create: those with a name that do not exist. */
export function missingCompanies(
  names: CompanyNamesById,
  exists: (id: CompanyId) => boolean,
  createdAt: Instant,
): readonly Company[] {
  const missing = [...names]
    .filter(([id]) => !exists(id))
    .toSorted(([one], [other]) => (one < other ? -1 : 1));
  return missing.map(([id, name]) => ({ id, name, environment: 'production', createdAt }));
}

/** Gives companies the names of the rows. Returns the renamed ones, with their open jobs. */
export async function renameCompanies(
  { tx }: Pick<Scope, 'tx'>,
  names: CompanyNamesById,
  companies: readonly Company[],
): Promise<{ readonly ids: readonly CompanyId[]; readonly jobs: readonly Job[] }> {
  const ids: CompanyId[] = [];
  const jobs: Job[] = [];
  for (const company of companies) {
    const name = names.get(company.id);
    if (name === undefined || company.name === name) continue;
    await tx.companies.save({ ...company, name });
    ids.push(company.id);
    jobs.push(...(await tx.jobs.listOfCompany(company.id, 'open')));
  }
  return { ids, jobs };
}
