import type { CompanyId, Operator, PartnerId } from '@partner-hiring/core';

/** What the search for companies reads. */
export type AccessReading = Pick<Operator<unknown>, 'access' | 'keys'>;

const MOST_PER_PAGE = 1_000;

/** Returns those of the given companies to which one of the partners' keys has active access now. */
export async function findSeenCompanies(
  operator: AccessReading,
  partnerIds: readonly PartnerId[],
  companyIds: readonly CompanyId[],
): Promise<ReadonlySet<CompanyId>> {
  const unseen = new Set(companyIds);
  const seen = new Set<CompanyId>();
  if (unseen.size === 0) return seen;
  for (const partnerId of partnerIds) {
    for await (const { key } of operator.keys.each({ partnerId })) {
      const filter = { keyId: key.id, onlyActive: true, limit: MOST_PER_PAGE };
      for await (const { companyId } of operator.access.each(filter)) {
        if (unseen.delete(companyId)) seen.add(companyId);
        if (unseen.size === 0) return seen;
      }
    }
  }
  return seen;
}
