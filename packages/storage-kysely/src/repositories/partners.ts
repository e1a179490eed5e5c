import type { PartnerId, PartnerRepository } from '@partner-hiring/core/ports';
import { insertOne } from '../batch.js';
import { mergeRanges } from '../merged-ranges.js';
import { type AgeParams, ageParams, OLDEST_FIRST } from '../pages.js';
import type { Prepare } from '../preparation.js';
import { define, type Param, WRITTEN } from '../statement.js';
import type { Row } from '../table.js';
import { PARTNERS } from '../tables/index.js';

export const preparePartners: Prepare<PartnerRepository> = (preparation) => {
  const { queries } = preparation;
  const add = define((param: Param<Row<typeof PARTNERS>>) =>
    insertOne(preparation, PARTNERS, param)
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
    add: (partner) =>
      session.write(async (run) =>
        (await run.count(add, PARTNERS.toRow(partner))) === 1 ? 'added' : 'exists',
      ),
    find: (id) => session.read((run) => run.one(find, { id }, PARTNERS.toValue)),
    list: (asked) =>
      session.read(async (run) => {
        const rows = asked ? await run.all(page, ageParams(asked)) : await run.all(list, {});
        return rows.map(PARTNERS.toValue);
      }),
  });
};
