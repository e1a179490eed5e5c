import type { KeyId, KeyRepository, PartnerId, PartnerKey } from '@partner-hiring/core/ports';
import type { Prepare } from '../preparation.js';
import type { PartnerKeyTable } from '../schema.js';
import { define, type Param } from '../statement.js';
import { prepareKeySecrets } from './keys/key-secrets.js';
import { prepareSecretsInUse } from './keys/secrets-in-use.js';

/** Keys and their secrets. */
export const prepareKeys: Prepare<KeyRepository> = (preparation) => {
  const { queries, lockRows } = preparation;
  const bindSecrets = prepareKeySecrets(preparation);
  const bindSecretsInUse = prepareSecretsInUse(preparation);
  const selectKeys = queries.selectFrom('ph_partner_key').selectAll();

  const add = define((param: Param<PartnerKeyTable>) =>
    queries
      .insertInto('ph_partner_key')
      .values({
        id: param('id'),
        partner_id: param('partner_id'),
        world: param('world'),
        created_at: param('created_at'),
      })
      .onConflict((conflict) => conflict.doNothing()),
  );
  const addHead = define((param: Param<{ id: KeyId; created_at: number }>) =>
    queries.insertInto('ph_feed_head').values((eb) => ({
      key_id: param('id'),
      at: param('created_at'),
      event_at: eb.lit(0),
    })),
  );
  const find = define((param: Param<{ id: KeyId }>) => selectKeys.where('id', '=', param('id')));
  const findForUpdate = define((param: Param<{ id: KeyId }>) =>
    selectKeys.where('id', '=', param('id')).$call(lockRows),
  );
  // 'production' sorts before 'sandbox'.
  const list = define(() => selectKeys.orderBy('partner_id').orderBy('world'));
  const listOfPartner = define((param: Param<{ partnerId: PartnerId }>) =>
    selectKeys.where('partner_id', '=', param('partnerId')).orderBy('world'),
  );

  return (session) => ({
    ...bindSecrets(session),
    ...bindSecretsInUse(session),
    add: ({ id, partnerId, world, createdAt }) =>
      session.write(async (run) => {
        const row = { id, partner_id: partnerId, world, created_at: createdAt };
        if ((await run.changes(add, row)) === 0) return 'exists';
        await run.changes(addHead, row);
        return 'added';
      }),
    find: (id) =>
      session.read(async (run) => {
        const row = await run.first(find, { id });
        return row === null ? null : toKey(row);
      }),
    findForUpdate: (id) =>
      session.read(async (run) => {
        const row = await run.first(findForUpdate, { id });
        return row === null ? null : toKey(row);
      }),
    list: (partnerId) =>
      session.read(async (run) => {
        const rows =
          partnerId === null ? await run.all(list, {}) : await run.all(listOfPartner, { partnerId });
        return rows.map(toKey);
      }),
  });
};

function toKey(row: PartnerKeyTable): PartnerKey {
  return { id: row.id, partnerId: row.partner_id, world: row.world, createdAt: row.created_at };
}
