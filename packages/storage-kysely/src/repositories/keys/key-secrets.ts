import type { Instant, KeyId, KeyOfSecret, KeyRepository, KeySecret } from '@partner-hiring/core/ports';
import type { JsonRows } from '../../dialect.js';
import { lookUpEach } from '../../each-item.js';
import { inOrder } from '../../in-order.js';
import type { Preparation, Prepare } from '../../preparation.js';
import type { KeySecretTable, PartnerKeyTable } from '../../schema.js';
import { define, type Param } from '../../statement.js';

type SecretMethods = 'addSecret' | 'saveSecrets' | 'listSecrets' | 'findByHashes' | 'touchSecrets';

/** A secret by its hash. */
export interface HashItem {
  readonly hash: string;
}

interface EndedItem extends HashItem {
  readonly expires_at: Instant | null;
  readonly revoked_at: Instant | null;
}

/** The secrets' part of the keys' repository. */
export const prepareKeySecrets: Prepare<Pick<KeyRepository, SecretMethods>> = (preparation) => {
  const { queries, items, lockFreeRows } = preparation;
  const add = define((param: Param<KeySecretTable>) =>
    queries.insertInto('ph_key_secret').values({
      hash: param('hash'),
      key_id: param('key_id'),
      prefix: param('prefix'),
      last_four: param('last_four'),
      created_at: param('created_at'),
      last_used_at: param('last_used_at'),
      expires_at: param('expires_at'),
      revoked_at: param('revoked_at'),
    }),
  );
  const save = define((param: Param<{ rows: JsonRows<EndedItem> }>) =>
    queries
      .updateTable('ph_key_secret')
      .from(items(param('rows'), { hash: 'text', expires_at: 'integer', revoked_at: 'integer' }))
      .set((eb) => ({ expires_at: eb.ref('item.expires_at'), revoked_at: eb.ref('item.revoked_at') }))
      .whereRef('ph_key_secret.hash', '=', 'item.hash'),
  );
  const listOfKey = define((param: Param<{ keyId: KeyId }>) =>
    queries
      .selectFrom('ph_key_secret')
      .selectAll()
      .where('key_id', '=', param('keyId'))
      .orderBy('created_at', 'desc')
      .orderBy('hash'),
  );
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
    addSecret: (secret) => session.write(async (run) => void (await run.changes(add, fromSecret(secret)))),
    saveSecrets: (secrets) =>
      session.write(async (run) => {
        await run.batch(save, secrets.map(fromSecret), {});
      }),
    listSecrets: (keyId) => session.read(async (run) => (await run.all(listOfKey, { keyId })).map(toSecret)),
    findByHashes: (hashes) =>
      session.read(async (run) => {
        const asked = hashes.map((hash) => ({ hash }));
        const { rows } = await run.batch(findByHashes, asked, {});
        return inOrder(hashes, rows, (row) => row.hash, toKeyOfSecret);
      }),
    touchSecrets: async (hashes, at) => {
      if (hashes.length === 0) return;
      const used = hashes.map((hash) => ({ hash }));
      await session.writeRelaxed((run) => run.batch(touch, used, { at }));
    },
  });
};

/** Finds secrets, each with its key. */
export function defineFindByHashes(preparation: Preparation) {
  const { queries } = preparation;
  return define((param: Param<{ rows: JsonRows<HashItem> }>) =>
    lookUpEach(preparation, param('rows'), { hash: 'text' }, (item) =>
      queries
        .selectFrom('ph_key_secret as secret')
        .innerJoin('ph_partner_key as key', 'key.id', 'secret.key_id')
        .selectAll('secret')
        .select(['key.partner_id', 'key.world', 'key.created_at as key_created_at'])
        .where('secret.hash', '=', item('hash')),
    ),
  );
}

function fromSecret(secret: KeySecret): KeySecretTable {
  return {
    hash: secret.hash,
    key_id: secret.keyId,
    prefix: secret.prefix,
    last_four: secret.lastFour,
    created_at: secret.createdAt,
    last_used_at: secret.lastUsedAt,
    expires_at: secret.expiresAt,
    revoked_at: secret.revokedAt,
  };
}

function toSecret(row: KeySecretTable): KeySecret {
  return {
    keyId: row.key_id,
    hash: row.hash,
    prefix: row.prefix,
    lastFour: row.last_four,
    createdAt: row.created_at,
    lastUsedAt: row.last_used_at,
    expiresAt: row.expires_at,
    revokedAt: row.revoked_at,
  };
}

/** A secret with its key, as {@link defineFindByHashes} finds them. */
export type KeyOfSecretRow = KeySecretTable &
  Pick<PartnerKeyTable, 'partner_id' | 'world'> & { readonly key_created_at: Instant };

function toKeyOfSecret(row: KeyOfSecretRow): KeyOfSecret {
  const { key_id: id, partner_id: partnerId, world, key_created_at: createdAt } = row;
  return { key: { id, partnerId, world, createdAt }, secret: toSecret(row) };
}

/** A secret with its key as the row in which they are found. */
export function fromKeyOfSecret({ key, secret }: KeyOfSecret): KeyOfSecretRow {
  const { partnerId, world, createdAt } = key;
  return { ...fromSecret(secret), partner_id: partnerId, world, key_created_at: createdAt };
}
