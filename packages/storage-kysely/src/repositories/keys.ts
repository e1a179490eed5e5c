import type { KeyRepository, PartnerKey } from '@partner-hiring/core/ports';
import type { Prepare } from '../preparation.js';
import type { PartnerKeyTable } from '../schema.js';
import { prepareKeySecrets } from './keys/key-secrets.js';
import { defineKeys } from './keys/key-statements.js';
import { prepareSecretsInUse } from './keys/secrets-in-use.js';

/** Keys and their secrets. */
export const prepareKeys: Prepare<KeyRepository> = (preparation) => {
  const bindSecrets = prepareKeySecrets(preparation);
  const bindSecretsInUse = prepareSecretsInUse(preparation);
  const { add, addHead, find, findForUpdate, list, listOfPartner } = defineKeys(preparation);

  return (session) => ({
    ...bindSecrets(session),
    ...bindSecretsInUse(session),
    add: ({ id, partnerId, environment, createdAt }) =>
      session.write(async (run) => {
        const row = { id, partner_id: partnerId, world: environment, created_at: createdAt };
        if ((await run.count(add, row)) === 0) return 'exists';
        await run.execute(addHead, row);
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
  return { id: row.id, partnerId: row.partner_id, environment: row.world, createdAt: row.created_at };
}
