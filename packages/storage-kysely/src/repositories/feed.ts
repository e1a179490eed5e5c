import type { FeedRepository, Instant, StampRange, StampRequest, World } from '@partner-hiring/core/ports';
import { inOrder } from '../in-order.js';
import type { Preparation, Prepare } from '../preparation.js';
import type { Run } from '../session.js';
import { define, type Param } from '../statement.js';
import { defineTake, type LockRows, type RequestItem } from './feed/take-stamps.js';

/** The feed heads. */
export const prepareFeed: Prepare<FeedRepository> = (preparation) => {
  const take = defineTake(preparation);
  const takeSoon = defineTake(preparation, briefly(preparation));
  const takeFree = defineTake(preparation, preparation.lockFreeRows);
  const listHeads = define((param: Param<{ world: World }>) =>
    preparation.queries
      .selectFrom('ph_feed_head as head')
      .innerJoin('ph_partner_key as key', 'key.id', 'head.key_id')
      .select(['head.key_id', 'head.at'])
      .where('key.world', '=', param('world')),
  );

  /** The range of each head that was moved. */
  async function takeBy(
    run: Run,
    statement: typeof take,
    requests: readonly StampRequest[],
    now: Instant,
  ): Promise<readonly (StampRange | null)[]> {
    const asked = requests.map(toItem).sort((a, b) => (a.key_id < b.key_id ? -1 : 1));
    const { rows } = await run.batch(statement, asked, { now });
    const heads = inOrder(
      requests.map(({ keyId }) => keyId),
      rows,
      (row) => row.key_id,
      (row) => row.at,
    );
    return requests.map(({ keyId, count }, index) => {
      const head = heads[index] ?? null;
      return head === null ? null : { keyId, first: head - count + 1, count };
    });
  }

  async function takeAll(
    run: Run,
    statement: typeof take,
    requests: readonly StampRequest[],
    now: Instant,
  ): Promise<readonly StampRange[]> {
    const ranges = await takeBy(run, statement, requests, now);
    return ranges.map((range, index) => {
      if (range === null) throw new Error(`There is no feed of ${requests[index]?.keyId}.`);
      return range;
    });
  }

  return (session) => ({
    listHeads: (world) =>
      session.read(async (run) => {
        const rows = await run.all(listHeads, { world });
        return rows.map(({ key_id: keyId, at }) => ({ keyId, at }));
      }),
    // Stamps that nobody uses do no harm.
    take: (requests, now) => session.writeEarly((run) => takeAll(run, take, requests, now)),
    takeSoon: (requests, now) => session.writeEarly((run) => takeAll(run, takeSoon, requests, now)),
    takeFree: (requests, now) => session.writeEarly((run) => takeBy(run, takeFree, requests, now)),
  });
};

/** Locks as ever, but the transaction does not wait for long. */
function briefly({ lockRows, waitsBriefly }: Preparation): LockRows {
  return (query) => lockRows(waitsBriefly === null ? query : query.where(waitsBriefly));
}

function toItem({ keyId, count, withoutEvents = false }: StampRequest): RequestItem {
  return { key_id: keyId, count, for_events: withoutEvents ? 0 : 1 };
}
