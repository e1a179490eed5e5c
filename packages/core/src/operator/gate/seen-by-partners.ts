import type { CompanyId, KeyId, PartnerId } from '../../domain/ids.js';
import type { Repositories } from '../../ports/storage.js';

/** Says what belongs to some partners. */
export interface SeenByPartners {
  readonly partnerIds: ReadonlySet<PartnerId>;
  readonly keyIds: ReadonlySet<KeyId>;
  /** Returns those of the companies to which one of the keys has active access. */
  companiesOf(companyIds: readonly CompanyId[]): Promise<ReadonlySet<CompanyId>>;
}

export async function seenByPartners(
  { keys, access }: Pick<Repositories, 'keys' | 'access'>,
  partnerIds: readonly PartnerId[],
): Promise<SeenByPartners> {
  const owned = await Promise.all([...new Set(partnerIds)].map((partnerId) => keys.list(partnerId)));
  const keyIds = new Set(owned.flat().map(({ id }) => id));
  return {
    partnerIds: new Set(partnerIds),
    keyIds,
    companiesOf: async (companyIds) => {
      const granted = await access.listOfCompanies(companyIds);
      const active = granted.filter(({ keyId, revokedAt }) => revokedAt === null && keyIds.has(keyId));
      return new Set(active.map(({ companyId }) => companyId));
    },
  };
}

/** Returns those of the companies to which a key of the partners has active access. */
export async function findSeenCompanies(
  read: Pick<Repositories, 'keys' | 'access'>,
  partnerIds: readonly PartnerId[],
  companyIds: readonly CompanyId[],
): Promise<ReadonlySet<CompanyId>> {
  return companyIds.length === 0
    ? new Set()
    : (await seenByPartners(read, partnerIds)).companiesOf(companyIds);
}
