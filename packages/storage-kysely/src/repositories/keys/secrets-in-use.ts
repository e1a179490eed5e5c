import type { Instant, KeyRepository } from '@partner-hiring/core/ports';
import type { JsonRows } from '../../dialect.js';
import { lookUpEach } from '../../each-item.js';
import { inOrder } from '../../in-order.js';
import { leaseClock } from '../../lease-clock.js';
import type { Preparation, Prepare } from '../../preparation.js';
import { define, type Param } from '../../statement.js';
import { toKeyOfSecret } from './secret-rows.js';

/** A secret by its hash. */
interface HashItem {
  readonly hash: string;
}

/** Secrets as requests present them. */
export const prepareSecretsInUse: Prepare<Pick<KeyRepository, 'findByHashes' | 'touchSecrets'>> = (
  preparation,
) => {
  const { queries, items, lockFreeRows, now } = preparation;
  const findByHashes = defineFindByHashes(preparation);
  const touch = define((param: Param<{ rows: JsonRows<HashItem>; at: Instant }>) =>
    queries
      .with('free', (query) =>
        query
          .selectFrom('ph_key_secret')
          .select('hash')
          .where('hash', 'in', (eb) =>
            eb.selectFrom(items(param('rows'), { hash: 'text' })).select('item.hash'),
          )
          .$call(lockFreeRows),
      )
      .updateTable('ph_key_secret')
      .set({ last_used_at: param('at') })
      .where('hash', 'in', (eb) => eb.selectFrom('free').select('free.hash')),
  );

  return (session) => ({
    findByHashes: (hashes) =>
      session.read(async (run) => {
        const asked = hashes.map((hash) => ({ hash }));
        const { rows } = await run.batch(findByHashes, asked, { now: now() });
        return inOrder(hashes, rows, (row) => row.hash, toKeyOfSecret);
      }),
    touchSecrets: async (hashes, at) => {
      if (hashes.length === 0) return;
      const used = hashes.map((hash) => ({ hash }));
      await session.writeWithAsyncCommit((run) => run.batch(touch, used, { at }));
    },
  });
};

/** Finds secrets, each with its key, and tells when that was. */
export function defineFindByHashes(preparation: Preparation) {
  const { queries } = preparation;
  return define((param: Param<{ rows: JsonRows<HashItem>; now: Instant }>) =>
    lookUpEach(preparation, param('rows'), { hash: 'text' }, (item) =>
      queries
        .selectFrom('ph_key_secret as secret')
        .innerJoin('ph_partner_key as key', 'key.id', 'secret.key_id')
        .selectAll('secret')
        .select(['key.partner_id', 'key.world', 'key.created_at as key_created_at'])
        .select(leaseClock(preparation, param('now')).as('read_at'))
        .where('secret.hash', '=', item('hash')),
    ),
  );
}
