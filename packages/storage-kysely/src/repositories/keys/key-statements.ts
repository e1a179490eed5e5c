import type { KeyId, PartnerId } from '@partner-hiring/core/ports';
import type { Preparation } from '../../preparation.js';
import type { PartnerKeyTable } from '../../schema.js';
import { define, type Param, WRITTEN } from '../../statement.js';

/** Compiles the statements over keys themselves. */
export function defineKeys({ queries, lockRows }: Preparation) {
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
      .onConflict((conflict) => conflict.doNothing())
      .returning(WRITTEN),
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
  return { add, addHead, find, findForUpdate, list, listOfPartner };
}
