import type { CompanyId, CompanyRepository } from '@partner-hiring/core/ports';
import { insertOne } from '../batch.js';
import type { JsonRows } from '../dialect.js';
import { inOrder } from '../in-order.js';
import { mergeRanges } from '../merged-ranges.js';
import { type AgeParams, ageParams, OLDEST_FIRST } from '../pages.js';
import type { Prepare } from '../preparation.js';
import { define, type Param, WRITTEN } from '../statement.js';
import type { Row } from '../table.js';
import { COMPANIES } from '../tables/index.js';

export const prepareCompanies: Prepare<CompanyRepository> = (preparation) => {
  const { queries, items, lockRows } = preparation;
  const add = define((param: Param<Row<typeof COMPANIES>>) =>
    insertOne(preparation, COMPANIES, param)
      .onConflict((conflict) => conflict.doNothing())
      .returning(WRITTEN),
  );
  const find = define((param: Param<{ id: CompanyId }>) =>
    queries.selectFrom('ph_company').selectAll().where('id', '=', param('id')),
  );
  const findForUpdate = define((param: Param<{ rows: JsonRows<{ id: CompanyId }> }>) =>
    queries
      .selectFrom('ph_company')
      .selectAll()
      .where('id', 'in', queries.selectFrom(items(param('rows'), { id: 'text' })).select('item.id'))
      .orderBy('id')
      .$call(lockRows),
  );
  const rename = define((param: Param<Pick<Row<typeof COMPANIES>, 'id' | 'name'>>) =>
    queries
      .updateTable('ph_company')
      .set({ name: param('name') })
      .where('id', '=', param('id')),
  );
  const list = define(() => queries.selectFrom('ph_company').selectAll().orderBy('created_at').orderBy('id'));
  const page = define((param: Param<AgeParams<CompanyId>>) =>
    mergeRanges(
      preparation,
      [
        queries
          .selectFrom('ph_company')
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
    add: (company) =>
      session.write(async (run) =>
        (await run.count(add, COMPANIES.toRow(company))) === 1 ? 'added' : 'exists',
      ),
    find: (id) => session.read((run) => run.one(find, { id }, COMPANIES.toValue)),
    findForUpdate: (ids) =>
      session.read(async (run) => {
        const ascending = [...new Set(ids)].sort().map((id) => ({ id }));
        const { rows } = await run.batch(findForUpdate, ascending, {});
        return inOrder(ids, rows, (row) => row.id, COMPANIES.toValue);
      }),
    save: ({ id, name }) => session.write((run) => run.execute(rename, { id, name })),
    list: (asked) =>
      session.read(async (run) => {
        const rows = asked ? await run.all(page, ageParams(asked)) : await run.all(list, {});
        return rows.map(COMPANIES.toValue);
      }),
  });
};
