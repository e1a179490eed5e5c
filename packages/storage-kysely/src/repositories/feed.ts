import type { Environment, FeedRepository } from '@partner-hiring/core/ports';
import type { Preparation, Prepare } from '../preparation.js';
import { define, type Param } from '../statement.js';
import { takeEveryRange, takeRanges } from './feed/take-ranges.js';
import { defineTake, type LockRows } from './feed/take-stamps.js';

/** The feed heads. */
export const prepareFeed: Prepare<FeedRepository> = (preparation) => {
  const take = defineTake(preparation);
  const takeSoon = defineTake(preparation, briefly(preparation));
  const takeFree = defineTake(preparation, preparation.lockFreeRows);
  const listHeads = define((param: Param<{ world: Environment }>) =>
    preparation.queries
      .selectFrom('ph_feed_head as head')
      .innerJoin('ph_partner_key as key', 'key.id', 'head.key_id')
      .select(['head.key_id', 'head.at'])
      .where('key.world', '=', param('world')),
  );

  return (session) => ({
    listHeads: (world) =>
      session.read(async (run) => {
        const rows = await run.all(listHeads, { world });
        return rows.map(({ key_id: keyId, at }) => ({ keyId, at }));
      }),
    // Stamps that nobody uses do no harm.
    take: (requests, now) => session.writeEarly((run) => takeEveryRange(run, take, requests, now)),
    takeSoon: (requests, now) => session.writeEarly((run) => takeEveryRange(run, takeSoon, requests, now)),
    takeFree: (requests, now) => session.writeEarly((run) => takeRanges(run, takeFree, requests, now)),
  });
};

/** Locks as ever, but the transaction does not wait for long. */
function briefly({ lockRows, waitsBriefly }: Preparation): LockRows {
  return (query) => lockRows(waitsBriefly === null ? query : query.where(waitsBriefly));
}
