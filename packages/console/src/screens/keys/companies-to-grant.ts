import type { CompanyId, KeyId, ResultOf } from '@partner-hiring/core';
import type { Gate } from '../../gate/gate.js';

/** One act grants access to at most this many companies. */
const MOST_AT_ONCE = 1_000;

/** Bounds what a form reads: this many pages of 1000 companies. */
const MOST_PAGES = 20;

/**
 * Returns the ids of the oldest companies of the key's environment that the key does not see, and whose names begin with a
 * text. The empty text selects all. Letter case does not matter.
 */
export async function findToGrant(
  { call }: Gate,
  { id: keyId, environment }: { readonly id: KeyId; readonly environment: string },
  begin: string,
): Promise<readonly CompanyId[]> {
  const seen = new Set<CompanyId>();
  let cursor: string | undefined;
  for (let page = 0; page < MOST_PAGES; page += 1) {
    const { items, nextCursor } = await call('access.list', {
      keyId,
      onlyActive: true,
      limit: 1_000,
      cursor,
    });
    for (const { companyId } of items) seen.add(companyId);
    if (nextCursor === null) break;
    cursor = nextCursor;
  }
  const start = begin.toLowerCase();
  const found: CompanyId[] = [];
  cursor = undefined;
  for (let page = 0; page < MOST_PAGES && found.length < MOST_AT_ONCE; page += 1) {
    const { items, nextCursor }: ResultOf<'companies.list'> = await call('companies.list', {
      limit: 1_000,
      cursor,
    });
    for (const company of items) {
      if (company.environment !== environment || seen.has(company.id)) continue;
      if (company.name.toLowerCase().startsWith(start)) found.push(company.id);
    }
    if (nextCursor === null) break;
    cursor = nextCursor;
  }
  return found.slice(0, MOST_AT_ONCE);
}
