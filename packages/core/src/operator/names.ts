import type { CompanyId, JobId, KeyId, PartnerId } from '../domain/ids.js';
import type { Environment } from '../domain/partner-key.js';
import type { Repositories } from '../ports/storage.js';

/** The names that belong to the key of a listed row. */
export interface KeyNames {
  readonly partnerId: PartnerId;
  readonly partnerName: string;
  /** The partner's name with the environment of the key, such as `Acme ATS (production)`. */
  readonly keyLabel: string;
}

export function labelKey(partnerName: string, environment: Environment): string {
  return `${partnerName} (${environment})`;
}

/** Adds the names of each row's key. */
export async function withKeyNames<Row extends { readonly keyId: KeyId }>(
  { names }: Pick<Repositories, 'names'>,
  rows: readonly Row[],
): Promise<readonly (Row & KeyNames)[]> {
  const owners = await names.ofKeys(rows.map(({ keyId }) => keyId));
  return rows.map((row, index) => {
    const owner = owners[index] ?? null;
    // If somebody deleted the key's row by hand, the list must still work.
    if (owner === null)
      return { ...row, partnerId: 'ptn_unknown', partnerName: 'unknown', keyLabel: row.keyId };
    const { partnerId, partnerName, environment } = owner;
    return { ...row, partnerId, partnerName, keyLabel: labelKey(partnerName, environment) };
  });
}

/** Adds the name of each row's company. */
export async function withCompanyNames<Row extends { readonly companyId: CompanyId }>(
  { names }: Pick<Repositories, 'names'>,
  rows: readonly Row[],
): Promise<readonly (Row & { readonly companyName: string })[]> {
  const found = await names.ofCompanies(rows.map(({ companyId }) => companyId));
  return rows.map((row, index) => ({ ...row, companyName: found[index] ?? row.companyId }));
}

/** Adds the title of each row's job. */
export async function withJobTitles<Row extends { readonly jobId: JobId }>(
  { names }: Pick<Repositories, 'names'>,
  rows: readonly Row[],
): Promise<readonly (Row & { readonly jobTitle: string })[]> {
  const found = await names.ofJobs(rows.map(({ jobId }) => jobId));
  return rows.map((row, index) => ({ ...row, jobTitle: found[index] ?? row.jobId }));
}
