import type { Instant, KeyId, KeyOfSecret, KeyRepository, PartnerId } from '@partner-hiring/core/ports';
import { sql } from 'kysely';
import { defineUpdate, insertOne, itemsWith, selectItems, writeEach } from '../batch.js';
import type { JsonRows } from '../dialect.js';
import { leaseClock } from '../lease-clock.js';
import { defineEach, defineLookUps, type Item, prepareFind } from '../look-ups.js';
import { inOrder, listsOf } from '../mapping.js';
import { beyond, defineMerged } from '../merged-ranges.js';
import type { Preparation, Prepare } from '../preparation.js';
import { define, type Param, WRITTEN } from '../statement.js';
import type { Row } from '../table.js';
import { KEY_SECRETS, PARTNER_KEYS } from '../tables/index.js';

const NEW_KEYS = PARTNER_KEYS.omit('lowered_limits');
const LIMITS = PARTNER_KEYS.pick('id', 'lowered_limits');

export const prepareKeys: Prepare<KeyRepository> = (preparation) => {
  const { add, addHead, list, listOfPartner } = defineKeys(preparation);
  const { page, pageOfPartner } = defineKeyPages(preparation);
  const saveLimits = defineUpdate(preparation, { table: LIMITS, by: ['id'] });

  return {
    ...prepareKeySecrets(preparation),
    ...prepareSecretsInUse(preparation),
    add: (session, key, { recordsEvents } = { recordsEvents: false }) =>
      session.write(async (run) => {
        const row = NEW_KEYS.toRow(key);
        if ((await run.count(add, row)) === 0) return 'exists';
        // No event of a new key is missing.
        await run.execute(addHead, { ...row, recorded_after: recordsEvents ? 0 : null });
        return 'added';
      }),
    saveLimits: writeEach(saveLimits, LIMITS.toRow),
    find: prepareFind(preparation, PARTNER_KEYS, 'id'),
    findForUpdate: prepareFind(preparation, PARTNER_KEYS, 'id', preparation.lockRows),
    list: (session, partnerId, asked) =>
      session.read(async (run) => {
        if (asked !== undefined) {
          const { after, limit } = asked;
          const position = {
            afterPartner: after?.partnerId ?? '',
            afterEnvironment: after?.environment ?? '',
          };
          const values = { partnerId: partnerId as PartnerId, ...position, limit };
          return run.list(partnerId === null ? page : pageOfPartner, values, PARTNER_KEYS.toValue);
        }
        const rows =
          partnerId === null ? await run.all(list, {}) : await run.all(listOfPartner, { partnerId });
        return rows.map(PARTNER_KEYS.toValue);
      }),
  };
};

function defineKeys(preparation: Preparation) {
  const { queries } = preparation;
  const selectKeys = queries.selectFrom('ph_partner_key').selectAll();
  const add = define((param: Param<Row<typeof NEW_KEYS>>) =>
    insertOne(preparation, NEW_KEYS, param)
      .onConflict((conflict) => conflict.doNothing())
      .returning(WRITTEN),
  );
  const addHead = define((param: Param<{ id: KeyId; created_at: number; recorded_after: number | null }>) =>
    queries.insertInto('ph_feed_head').values((eb) => ({
      key_id: param('id'),
      at: param('created_at'),
      event_at: eb.lit(0),
      recorded_after: param('recorded_after'),
    })),
  );
  // 'production' sorts before 'sandbox'.
  const list = define(() => selectKeys.orderBy('partner_id').orderBy('environment'));
  const listOfPartner = define((param: Param<{ partnerId: PartnerId }>) =>
    selectKeys.where('partner_id', '=', param('partnerId')).orderBy('environment'),
  );
  return { add, addHead, list, listOfPartner };
}

interface KeyPageParams {
  readonly partnerId: PartnerId;
  readonly afterPartner: string;
  readonly afterEnvironment: string;
  readonly limit: number;
}

function defineKeyPages(preparation: Preparation) {
  const keys = preparation.queries.selectFrom('ph_partner_key').selectAll();
  const page = defineMerged(
    preparation,
    { columns: ['partner_id', 'environment'], direction: 'asc' },
    (param: Param<KeyPageParams>) => [
      keys.where(beyond('>', { partner_id: param('afterPartner'), environment: param('afterEnvironment') })),
    ],
  );
  const pageOfPartner = defineMerged(
    preparation,
    { columns: ['environment'], direction: 'asc' },
    (param: Param<KeyPageParams>) => [
      keys
        .where('partner_id', '=', param('partnerId'))
        .where('environment', '>', param('afterEnvironment') as never),
    ],
  );
  return { page, pageOfPartner };
}

type SecretMethods = 'addSecret' | 'saveSecrets' | 'listSecrets' | 'listSecretsEach' | 'listByLastFour';

/** More secrets than a key has. With a limit, PostgreSQL looks up each key instead of scanning the table. */
const MANY = sql.lit(10_000);

const ENDED_SECRETS = KEY_SECRETS.pick('hash', 'expires_at', 'revoked_at');

const prepareKeySecrets: Prepare<Pick<KeyRepository, SecretMethods>> = (preparation) => {
  const { queries } = preparation;
  const add = define((param: Param<Row<typeof KEY_SECRETS>>) => insertOne(preparation, KEY_SECRETS, param));
  const save = defineUpdate(preparation, { table: ENDED_SECRETS, by: ['hash'] });
  const listOfKeys = defineEach(preparation, { key_id: 'text' }, (item: Item<{ key_id: KeyId }>) =>
    queries.selectFrom('ph_key_secret').selectAll().where('key_id', '=', item('key_id')).limit(MANY),
  );
  const listOfKey = define((param: Param<{ keyId: KeyId }>) =>
    queries
      .selectFrom('ph_key_secret')
      .selectAll()
      .where('key_id', '=', param('keyId'))
      .orderBy('created_at', 'desc')
      .orderBy('hash'),
  );

  const byLastFour = define((param: Param<{ lastFour: string; limit: number }>) =>
    queries
      .selectFrom('ph_key_secret as secret')
      .innerJoin('ph_partner_key as key', 'key.id', 'secret.key_id')
      .selectAll('key')
      .where('secret.last_four', '=', param('lastFour'))
      .limit(param('limit')),
  );

  return {
    listByLastFour: (session, lastFour, limit) =>
      session.read((run) => run.list(byLastFour, { lastFour, limit }, PARTNER_KEYS.toValue)),
    addSecret: (session, secret) => session.write((run) => run.execute(add, KEY_SECRETS.toRow(secret))),
    saveSecrets: writeEach(save, ENDED_SECRETS.toRow),
    listSecrets: (session, keyId) =>
      session.read((run) => run.list(listOfKey, { keyId }, KEY_SECRETS.toValue)),
    listSecretsEach: (session, keyIds) =>
      session.read(async (run) => {
        const { rows } = await run.batch(listOfKeys, itemsWith('key_id', keyIds), {});
        const newestFirst = rows
          .map(KEY_SECRETS.toValue)
          .sort((a, b) => b.createdAt - a.createdAt || (a.hash < b.hash ? -1 : 1));
        return listsOf(itemsWith('keyId', keyIds), newestFirst, (secret) => secret.keyId);
      }),
  };
};

const prepareSecretsInUse: Prepare<Pick<KeyRepository, 'findByHashes' | 'touchSecrets'>> = (preparation) => {
  const { queries, lockFreeRows, now } = preparation;
  const findByHashes = defineFindByHashes(preparation);
  const touch = define((param: Param<{ rows: JsonRows<{ hash: string }>; at: Instant }>) =>
    queries
      .with('free', (query) =>
        query
          .selectFrom('ph_key_secret')
          .select('hash')
          .where('hash', 'in', selectItems(preparation, param('rows'), 'hash'))
          .where('revoked_at', 'is', null)
          .where((eb) => eb.or([eb('expires_at', 'is', null), eb('expires_at', '>', param('at'))]))
          .$call(lockFreeRows),
      )
      .updateTable('ph_key_secret')
      .set({ last_used_at: param('at') })
      .where('hash', 'in', (eb) => eb.selectFrom('free').select('free.hash')),
  );

  return {
    findByHashes: (session, hashes) =>
      session.read(async (run) => {
        const { rows } = await run.batch(findByHashes, itemsWith('hash', hashes), { now: now() });
        return inOrder(hashes, rows, (row) => row.hash, toKeyOfSecret);
      }),
    touchSecrets: async (session, hashes, at) => {
      if (hashes.length === 0) return;
      await session.writeWithAsyncCommit((run) => run.each(touch, itemsWith('hash', hashes), { at }));
    },
  };
};

function defineFindByHashes(preparation: Preparation) {
  const { queries } = preparation;
  return defineLookUps(
    preparation,
    { hash: 'text' },
    (item: Item<{ hash: string }>, param: Param<{ now: Instant }>) =>
      queries
        .selectFrom('ph_key_secret as secret')
        .innerJoin('ph_partner_key as key', 'key.id', 'secret.key_id')
        .innerJoin('ph_partner as partner', 'partner.id', 'key.partner_id')
        .selectAll('secret')
        .select(['key.partner_id', 'key.environment', 'key.created_at as key_created_at'])
        .select('key.lowered_limits')
        .select('partner.disabled_at')
        .select(leaseClock(preparation, param('now')).as('read_at'))
        .where('secret.hash', '=', item('hash')),
  );
}

type KeyOfSecretRow = Row<typeof KEY_SECRETS> &
  Omit<Row<typeof PARTNER_KEYS>, 'id' | 'created_at'> & {
    readonly key_created_at: Instant;
    readonly disabled_at: Instant | null;
    readonly read_at: Instant;
  };

function toKeyOfSecret(row: KeyOfSecretRow): KeyOfSecret {
  return {
    key: PARTNER_KEYS.toValue({ ...row, id: row.key_id, created_at: row.key_created_at }),
    secret: KEY_SECRETS.toValue(row),
    disabledAt: row.disabled_at,
    readAt: row.read_at,
  };
}
