import type { Company, CompanyId, KeyId, ListedAccess, ResultOf } from '@partner-hiring/core';
import type { Gate } from '../../gate/gate.js';

/** One act changes access to at most this many companies. */
const MOST_AT_ONCE = 1_000;

/** Bounds what a form reads: this many pages of 1000 companies. */
const MOST_PAGES = 20;

/** Lists the companies that a key sees, as far as so many pages go. */
export async function listSeen(
  { call }: Gate,
  keyId: KeyId,
  pages = MOST_PAGES,
): Promise<readonly ListedAccess[]> {
  const seen: ListedAccess[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < pages; page += 1) {
    const filter = { keyId, onlyActive: true, limit: 1_000, cursor };
    const { items, nextCursor }: ResultOf<'access.list'> = await call('access.list', filter);
    seen.push(...items);
    if (nextCursor === null) break;
    cursor = nextCursor;
  }
  return seen;
}

/**
 * Returns the oldest companies of the key's environment that the key does not see, and whose names begin with a
 * text. The empty text selects all. Letter case does not matter.
 */
export async function findToGrant(
  gate: Gate,
  { id: keyId, environment }: { readonly id: KeyId; readonly environment: string },
  begin: string,
): Promise<readonly Company[]> {
  const seen = new Set<CompanyId>((await listSeen(gate, keyId)).map(({ companyId }) => companyId));
  const start = begin.toLowerCase();
  const found: Company[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < MOST_PAGES && found.length < MOST_AT_ONCE; page += 1) {
    const { items, nextCursor }: ResultOf<'companies.list'> = await gate.call('companies.list', {
      limit: 1_000,
      cursor,
    });
    for (const company of items) {
      if (company.environment !== environment || seen.has(company.id)) continue;
      if (company.name.toLowerCase().startsWith(start)) found.push(company);
    }
    if (nextCursor === null) break;
    cursor = nextCursor;
  }
  return found.slice(0, MOST_AT_ONCE);
}

/** Returns companies that the key sees, and whose names begin with a text. The empty text selects all. */
export async function findToRevoke(
  gate: Gate,
  keyId: KeyId,
  begin: string,
): Promise<readonly ListedAccess[]> {
  const start = begin.toLowerCase();
  const seen = await listSeen(gate, keyId);
  return seen.filter(({ companyName }) => companyName.toLowerCase().startsWith(start)).slice(0, MOST_AT_ONCE);
}
