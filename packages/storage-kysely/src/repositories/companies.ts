import type { Company, CompanyId, CompanyRepository } from '@partner-hiring/core/ports';
import type { JsonRows } from '../dialect.js';
import { inOrder } from '../in-order.js';
import { mergeRanges } from '../merged-ranges.js';
import { type AgeParams, ageParams, OLDEST_FIRST } from '../pages.js';
import type { Prepare } from '../preparation.js';
import type { CompanyTable } from '../schema.js';
import { define, type Param, WRITTEN } from '../statement.js';

export const prepareCompanies: Prepare<CompanyRepository> = (preparation) => {
  const { queries, items, lockRows } = preparation;
  const add = define((param: Param<CompanyTable>) =>
    queries
      .insertInto('ph_company')
      .values({
        id: param('id'),
        name: param('name'),
        environment: param('environment'),
        created_at: param('created_at'),
      })
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
  const rename = define((param: Param<Pick<CompanyTable, 'id' | 'name'>>) =>
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
    add: ({ id, name, environment, createdAt }) =>
      session.write(async (run) => {
        const added = await run.count(add, { id, name, environment, created_at: createdAt });
        return added === 1 ? 'added' : 'exists';
      }),
    find: (id) =>
      session.read(async (run) => {
        const row = await run.first(find, { id });
        return row === null ? null : toCompany(row);
      }),
    findForUpdate: (ids) =>
      session.read(async (run) => {
        const ascending = [...new Set(ids)].sort().map((id) => ({ id }));
        const { rows } = await run.batch(findForUpdate, ascending, {});
        return inOrder(ids, rows, (row) => row.id, toCompany);
      }),
    save: ({ id, name }) => session.write((run) => run.execute(rename, { id, name })),
    list: (asked) =>
      session.read(async (run) => {
        const rows = asked ? await run.all(page, ageParams(asked)) : await run.all(list, {});
        return rows.map(toCompany);
      }),
  });
};

function toCompany(row: CompanyTable): Company {
  return { id: row.id, name: row.name, environment: row.environment, createdAt: row.created_at };
}
