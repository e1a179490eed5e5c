import { type ApplicationRecord, type Consent, consentOf } from '../../domain/application.js';
import type { Repositories } from '../../ports/storage.js';
import { findErasureItems } from '../inbox/find-entries.js';
import type { ErasureItem } from '../inbox/rules.js';

/** An application of a candidate, with the names that belong to its ids. */
export interface CandidateApplication extends ApplicationRecord {
  readonly consent: Consent;
  readonly partnerName: string;
  readonly companyName: string;
  readonly jobTitle: string;
  /** The inbox item that tells the host of the erasure; null before the erasure, or if the inbox was off. */
  readonly erasureItem: ErasureItem | null;
}

type Reading = Pick<Repositories, 'keys' | 'partners' | 'companies' | 'jobs' | 'inbox'>;

/** Adds names to applications. Reads each key, company and job once. */
export async function describeApplications(
  { keys, partners, companies, jobs, inbox }: Reading,
  applications: readonly ApplicationRecord[],
): Promise<readonly CandidateApplication[]> {
  const partnerNames = await namesOf(
    applications.map(({ keyId }) => keyId),
    async (keyId) => {
      const key = await keys.find(keyId);
      return key === null ? null : ((await partners.find(key.partnerId))?.name ?? null);
    },
  );
  const companyNames = await namesOf(
    applications.map(({ companyId }) => companyId),
    async (id) => (await companies.find(id))?.name ?? null,
  );
  const jobIds = [...new Set(applications.map(({ jobId }) => jobId))];
  const found = await jobs.find(jobIds);
  const titles = new Map(jobIds.map((id, index) => [id, found[index]?.title ?? '']));
  const items = await findErasureItems({ inbox }, applications);
  return applications.map((application, index) => ({
    ...application,
    consent: consentOf(application),
    partnerName: partnerNames.get(application.keyId) ?? '',
    companyName: companyNames.get(application.companyId) ?? '',
    jobTitle: titles.get(application.jobId) ?? '',
    erasureItem: items[index] ?? null,
  }));
}

async function namesOf<Id extends string>(
  ids: readonly Id[],
  nameOf: (id: Id) => Promise<string | null>,
): Promise<ReadonlyMap<Id, string>> {
  const names = new Map<Id, string>();
  for (const id of new Set(ids)) names.set(id, (await nameOf(id)) ?? '');
  return names;
}
