import type { AuditObject, AuditObjectKind } from '../domain/audit.js';
import type { CompanyId, JobId, KeyId, PartnerId } from '../domain/ids.js';
import type { Repositories } from '../ports/storage.js';
import { labelKey } from './names.js';

/** What the search for names reads. */
export type NameReading = Pick<Repositories, 'names' | 'partners'>;

/** Returns the name of an object. Null if its kind has no names, or if the object does not exist. */
export type NameOfObject = (object: AuditObject) => string | null;

/**
 * Finds the names of partners, companies, jobs, and keys with their endpoints, by one look-up for each kind. Candidates'
 * names are never looked up.
 */
export async function findObjectNames(
  { names, partners }: NameReading,
  objects: readonly AuditObject[],
): Promise<NameOfObject> {
  const found = new Map<string, string>();
  const look = async <Id extends string>(
    kind: AuditObjectKind,
    read: (ids: readonly Id[]) => Promise<readonly (string | null)[]>,
  ): Promise<void> => {
    const ids = [...new Set(objects.flatMap((each) => (each.kind === kind ? [each.id] : [])))];
    if (ids.length === 0) return;
    const named = await read(ids as string[] as Id[]);
    for (const [index, id] of ids.entries()) {
      const name = named[index] ?? null;
      if (name !== null) found.set(`${kind} ${id}`, name);
    }
  };
  const labelsOf = async (ids: readonly KeyId[]) =>
    (await names.ofKeys(ids)).map((owner) => owner && labelKey(owner.partnerName, owner.environment));
  await look<PartnerId>('partner', async (ids) =>
    (await partners.findMany(ids)).map((partner) => partner?.name ?? null),
  );
  await look<KeyId>('key', labelsOf);
  await look<KeyId>('endpoint', labelsOf);
  await look<CompanyId>('company', names.ofCompanies);
  await look<JobId>('job', names.ofJobs);
  return ({ kind, id }) => found.get(`${kind} ${id}`) ?? null;
}
