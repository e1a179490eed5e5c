import type { FeedRepository } from '@partner-hiring/core/ports';
import { MissingFeedHead } from '@partner-hiring/storage-kysely';
import { all } from '../routing/merge.js';
import type { RoutesOf } from '../routing/route.js';

/** Takes stamps in the cell of each key. */
export const takeStampsOfCells: RoutesOf<FeedRepository>['take'] = async ({ cells, call }, requests, now) => {
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
