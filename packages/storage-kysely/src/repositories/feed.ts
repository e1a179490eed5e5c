import type { FeedRepository, Instant, KeyId } from '@partner-hiring/core/ports';
import type { JsonRows } from '../dialect.js';
import { inOrder } from '../in-order.js';
import type { Prepare } from '../preparation.js';
import { define, type Param } from '../statement.js';

interface RequestItem {
  readonly key_id: KeyId;
  readonly count: number;
}

/** The feed heads, and the only statement that moves them. */
export const prepareFeed: Prepare<FeedRepository> = ({ queries, items, lockRows }) => {
  // The rule is the domain's `nextStamps`: from now on, but always after the last one.
  const take = define((param: Param<{ rows: JsonRows<RequestItem>; now: Instant }>) =>
    queries
      .with('locked', (query) =>
        query
          .selectFrom('ph_feed_head')
          .select(['key_id', 'at'])
          .where('key_id', 'in', (eb) =>
            eb.selectFrom(items(param('rows'), { key_id: 'text', count: 'integer' })).select('item.key_id'),
          )
          .orderBy('key_id')
          .$call(lockRows),
      )
      .updateTable('ph_feed_head')
      .from('locked')
      .innerJoin(items(param('rows'), { key_id: 'text', count: 'integer' }), 'item.key_id', 'locked.key_id')
      .set((eb) => ({
        at: eb(
          eb
            .case()
            .when('locked.at', '>=', param('now'))
            .then(eb('locked.at', '+', eb.lit(1)))
            .else(param('now'))
            .end(),
          '+',
          eb('item.count', '-', eb.lit(1)),
        ),
      }))
      .whereRef('ph_feed_head.key_id', '=', 'locked.key_id')
      .returning(['ph_feed_head.key_id', 'ph_feed_head.at']),
  );

  return (session) => ({
    take: (requests, now) =>
      session.write(async (run) => {
        const asked = requests
          .map(({ keyId, count }) => ({ key_id: keyId, count }))
          .sort((a, b) => (a.key_id < b.key_id ? -1 : 1));
        const { rows } = await run.batch(take, asked, { now });
        const heads = inOrder(
          requests.map(({ keyId }) => keyId),
          rows,
          (row) => row.key_id,
          (row) => row.at,
        );
        return requests.map(({ keyId, count }, index) => {
          const head = heads[index] ?? null;
          if (head === null) throw new Error(`There is no feed of ${keyId}.`);
          return { keyId, first: head - count + 1, count };
        });
      }),
  });
};
