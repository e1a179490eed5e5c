import type { Partner, PartnerId, PartnerRepository } from '@partner-hiring/core/ports';
import { mergeRanges } from '../merged-ranges.js';
import { type AgeParams, ageParams, OLDEST_FIRST } from '../pages.js';
import type { Prepare } from '../preparation.js';
import type { PartnerTable } from '../schema.js';
import { define, type Param, WRITTEN } from '../statement.js';

export const preparePartners: Prepare<PartnerRepository> = (preparation) => {
  const { queries } = preparation;
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
  const page = define((param: Param<AgeParams<PartnerId>>) =>
    mergeRanges(
      preparation,
      [
        queries
          .selectFrom('ph_partner')
          .selectAll()
          .where((eb) =>
            eb(eb.refTuple('created_at', 'id'), '>', eb.tuple(param('createdAt'), param('id') as never)),
          ),
      ],
      OLDEST_FIRST,
      param('limit'),
    ),
  );

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
    list: (asked) =>
      session.read(async (run) => {
        const rows = asked ? await run.all(page, ageParams(asked)) : await run.all(list, {});
        return rows.map(toPartner);
      }),
  });
};

function toPartner(row: PartnerTable): Partner {
  return { id: row.id, name: row.name, createdAt: row.created_at };
}
