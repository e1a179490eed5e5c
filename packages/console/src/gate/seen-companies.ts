import type { CompanyId, KeyId, ListedAccess, Operator, PartnerId } from '@partner-hiring/core';

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
    const { items: keys } = await operator.keys.list({ partnerId });
    for (const { key } of keys) {
      for await (const { companyId } of listActive(operator, key.id)) {
        if (unseen.delete(companyId)) seen.add(companyId);
        if (unseen.size === 0) return seen;
      }
    }
  }
  return seen;
}

async function* listActive({ access }: AccessReading, keyId: KeyId): AsyncGenerator<ListedAccess> {
  let cursor: string | null = null;
  do {
    const page: Awaited<ReturnType<AccessReading['access']['list']>> = await access.list({
      keyId,
      onlyActive: true,
      limit: MOST_PER_PAGE,
      cursor: cursor ?? undefined,
    });
    yield* page.items;
    cursor = page.nextCursor;
  } while (cursor !== null);
}
