import type { ApplicationId, ApplicationRepository } from '@partner-hiring/core/ports';
import type { JsonRows } from '../../dialect.js';
import { lookUpEach } from '../../each-item.js';
import { inOrder } from '../../in-order.js';
import type { Prepare } from '../../preparation.js';
import { define, type Param } from '../../statement.js';
import { toApplicationRecord } from './application-rows.js';

/** Applications, with all that the host knows of them. */
export const prepareFindApplications: Prepare<Pick<ApplicationRepository, 'find' | 'findForUpdate'>> = (
  preparation,
) => {
  const { queries, items, lockRows } = preparation;
  const find = define((param: Param<{ rows: JsonRows<{ id: ApplicationId }> }>) =>
    lookUpEach(preparation, param('rows'), { id: 'text' }, (item) =>
      queries.selectFrom('ph_application').selectAll().where('id', '=', item('id')),
    ),
  );
  const findForUpdate = define((param: Param<{ rows: JsonRows<{ id: ApplicationId }> }>) =>
    queries
      .selectFrom('ph_application')
      .selectAll()
      .where('id', 'in', queries.selectFrom(items(param('rows'), { id: 'text' })).select('item.id'))
      .orderBy('id')
      .$call(lockRows),
  );

  return (session) => ({
    find: (ids) =>
      session.read(async (run) => {
        const asked = ids.map((id) => ({ id }));
        const { rows } = await run.batch(find, asked, {});
        return inOrder(ids, rows, (row) => row.id, toApplicationRecord);
      }),
    findForUpdate: (ids) =>
      session.read(async (run) => {
        const ascending = [...new Set(ids)].sort().map((id) => ({ id }));
        const { rows } = await run.batch(findForUpdate, ascending, {});
        return inOrder(ids, rows, (row) => row.id, toApplicationRecord);
      }),
  });
};
