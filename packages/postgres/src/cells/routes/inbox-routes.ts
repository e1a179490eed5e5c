import type { InboxClaim, Repositories, UnreadEntry } from '@partner-hiring/core/ports';
import { compare, earliest, merge, sum } from '../routing/merge.js';
import { byRefusedEntry } from '../routing/orders.js';
import type { CellRoute, RoutesOf } from '../routing/route.js';

type InboxRoutes = RoutesOf<Repositories['inbox']>;

/** Claims from the cells of the keys. Each key gets an equal share, as in one cell. */
export function claimShares<Claim extends InboxClaim>(): CellRoute<[claim: Claim], readonly UnreadEntry[]> {
  return async ({ cells, call }, claim) => {
    // Asks where the keys are. A remembered cell could stay wrong forever, because finding no entries does not count as
    // a miss.
    const groups = await cells.groupAfresh('key', claim.keyIds, (id) => id);
    const found: UnreadEntry[] = [];
    let keysLeft = claim.keyIds.length;
    for (const [index, keyIds] of groups) {
      const share = Math.ceil(((claim.limit - found.length) * keyIds.length) / keysLeft);
      keysLeft -= keyIds.length;
      if (share > 0) found.push(...(await call(cells.bound.cell(index), { ...claim, keyIds, limit: share })));
    }
    return inOrderOfKeys([found]);
  };
}

/** Joins the entries. Keeps the order within each key. */
export function inOrderOfKeys(lists: readonly (readonly UnreadEntry[])[]): readonly UnreadEntry[] {
  return lists.flat().sort((one, other) => compare(one.keyId, other.keyId));
}

/** Asks every cell about entries without a key. An entry exists in one cell at most. */
export const acknowledge: InboxRoutes['acknowledge'] = async ({ cells, call }, entries, now) => {
  const named = entries.filter(({ keyId }) => keyId !== undefined);
  const unnamed = entries.filter(({ keyId }) => keyId === undefined);
  const counts = await cells.split(
    'key',
    named,
    ({ keyId = null }) => keyId,
    (cell, own) => call(cell, own, now),
  );
  if (unnamed.length === 0) return sum(counts);
  return sum([...counts, ...(await cells.writeAll((cell) => call(cell, unnamed, now)))]);
};

export const listRefusedOfCells: InboxRoutes['listRefused'] = async (
  { cells, call },
  onlyParked,
  limit,
  after,
) => merge(await cells.readAll((cell) => call(cell, onlyParked, limit, after)), byRefusedEntry, limit);

export const retryParked: InboxRoutes['retryParked'] = async ({ cells, call, name }, which, now) => {
  if (!('limit' in which)) return sum(await cells.writeAll((cell) => call(cell, which, now)));
  return cells.countInTurn(name, which.limit, (cell, left) => call(cell, { limit: left }, now));
};

type InboxCounts = Awaited<ReturnType<Repositories['inbox']['counts']>>;

/** Counts stop here. */
const COUNT_BOUND = 10_000;

export function sumOfCounts(counts: readonly InboxCounts[]): InboxCounts {
  const unread = sum(counts.map((count) => count.unread));
  const parked = sum(counts.map((count) => count.parked));
  return {
    unread: Math.min(unread, COUNT_BOUND),
    parked: Math.min(parked, COUNT_BOUND),
    oldestUnreadAt: earliest(counts.map(({ oldestUnreadAt }) => oldestUnreadAt)),
    isExact: counts.every(({ isExact }) => isExact) && Math.max(unread, parked) <= COUNT_BOUND,
  };
}
