import type { Partner, PartnerId, PartnerRepository } from '@partner-hiring/core/ports';
import type { Prepare } from '../preparation.js';
import type { PartnerTable } from '../schema.js';
import { define, type Param, WRITTEN } from '../statement.js';

export const preparePartners: Prepare<PartnerRepository> = ({ queries }) => {
  const add = define((param: Param<PartnerTable>) =>
    queries
      .insertInto('ph_partner')
      .values({ id: param('id'), name: param('name'), created_at: param('created_at') })
      .onConflict((conflict) => conflict.doNothing())
      .returning(WRITTEN),
  );
  const find = define((param: Param<{ id: PartnerId }>) =>
    queries.selectFrom('ph_partner').selectAll().where('id', '=', param('id')),
  );
  const list = define(() => queries.selectFrom('ph_partner').selectAll().orderBy('created_at').orderBy('id'));

  return (session) => ({
    add: ({ id, name, createdAt }) =>
      session.write(async (run) => {
        const added = await run.count(add, { id, name, created_at: createdAt });
        return added === 1 ? 'added' : 'exists';
      }),
    find: (id) =>
      session.read(async (run) => {
        const row = await run.first(find, { id });
        return row === null ? null : toPartner(row);
      }),
    list: () => session.read(async (run) => (await run.all(list, {})).map(toPartner)),
  });
};

function toPartner(row: PartnerTable): Partner {
  return { id: row.id, name: row.name, createdAt: row.created_at };
}
