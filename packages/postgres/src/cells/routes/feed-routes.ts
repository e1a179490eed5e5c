import type { EventRepository, FeedRepository } from '@partner-hiring/core/ports';
import { MissingFeedHead } from '@partner-hiring/storage-kysely';
import { all, sum } from '../routing/merge.js';
import * as order from '../routing/orders.js';
import { allCells, countInTurn, each, joined, merged, of, type RoutesOf, split } from '../routing/route.js';
import { includesNull, isNotRecorded } from '../routing/rows.js';

/** Takes stamps in the cell of each key. */
const takeStampsOfCells: RoutesOf<FeedRepository>['take'] = async ({ cells, call }, requests, now) => {
  const ranges = await cells.each(
    'key',
    requests,
    ({ keyId }) => keyId,
    async (cell, own) => {
      const taken = await call(cell, own, now).catch(nullIfMissing);
      // If one of the keys has moved, takes the stamps of each key separately. The failed call has taken stamps for the
      // other keys. They stay unused, which does no harm.
      return (
        taken ?? all(own.map(async (one) => (await call(cell, [one], now).catch(nullIfMissing))?.[0] ?? null))
      );
    },
  );
  return ranges.map((range, index) => {
    if (range === null) throw new MissingFeedHead(requests[index]?.keyId);
    return range;
  });
};

function nullIfMissing(error: unknown): null {
  if (error instanceof MissingFeedHead) return null;
  throw error;
}

/** The head of a feed, and its log, are in the cell of the key. */
export const feed: RoutesOf<FeedRepository> = {
  take: takeStampsOfCells,
  takeSoon: takeStampsOfCells,
  takeFree: each('key', ({ keyId }) => keyId),
  listHeads: allCells(joined),
  listRecording: async ({ cells, call }, isOn, limit) => {
    const found = await cells.readAll((cell) => call(cell, isOn, limit));
    return joined(found).slice(0, limit);
  },
  setRecording: split('key', (id) => id),
  setFreeRecording: split('key', (id) => id, sum),
};

export const events: RoutesOf<EventRepository> = {
  page: of('key', ({ keyId }) => keyId, isNotRecorded),
  append: split('key', ({ keyId }) => keyId),
  readLogs: each('key', ({ keyId }) => keyId),
  find: of('key', (keyId) => keyId, includesNull),
  findKey: allCells((found) => found.find((keyId) => keyId !== null) ?? null),
  findTypes: each('key', ({ keyId }) => keyId),
  listNewest: of('key', ({ keyId }) => keyId),
  listUnsent: merged(order.newestEventFirst),
  sweep: countInTurn,
};
