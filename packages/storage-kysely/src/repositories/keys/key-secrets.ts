import type { Instant, KeyId, KeyRepository } from '@partner-hiring/core/ports';
import type { JsonRows } from '../../dialect.js';
import type { Prepare } from '../../preparation.js';
import type { KeySecretTable } from '../../schema.js';
import { define, type Param } from '../../statement.js';
import { fromSecret, toSecret } from './secret-rows.js';

type SecretMethods = 'addSecret' | 'saveSecrets' | 'listSecrets';

interface EndedItem {
  readonly hash: string;
  readonly expires_at: Instant | null;
  readonly revoked_at: Instant | null;
}

/** Secrets as the host manages them. */
export const prepareKeySecrets: Prepare<Pick<KeyRepository, SecretMethods>> = ({ queries, items }) => {
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

  return (session) => ({
    addSecret: (secret) => session.write((run) => run.execute(add, fromSecret(secret))),
    saveSecrets: (secrets) =>
      session.write(async (run) => {
        await run.batch(save, secrets.map(fromSecret), {});
      }),
    listSecrets: (keyId) => session.read(async (run) => (await run.all(listOfKey, { keyId })).map(toSecret)),
  });
};
