import type { AccessRepository, CompanyId, KeyId } from '@partner-hiring/core/ports';
import { insertOne, replace } from '../batch.js';
import type { JsonRows } from '../dialect.js';
import { mergeRanges } from '../merged-ranges.js';
import type { Prepare } from '../preparation.js';
import { define, type Param } from '../statement.js';
import type { Row } from '../table.js';
import { ACCESS } from '../tables/index.js';

export const prepareAccess: Prepare<AccessRepository> = (preparation) => {
  const { queries, items } = preparation;
  const selectAccess = queries.selectFrom('ph_access').selectAll('ph_access');

  const find = define((param: Param<{ keyId: KeyId; companyId: CompanyId }>) =>
    selectAccess.where('key_id', '=', param('keyId')).where('company_id', '=', param('companyId')),
  );
  const save = define((param: Param<Row<typeof ACCESS>>) =>
    insertOne(preparation, ACCESS, param).onConflict(replace(ACCESS, ['key_id', 'company_id'])),
  );
  const listOfCompanies = define((param: Param<{ rows: JsonRows<{ company_id: CompanyId }> }>) =>
    queries
      .selectFrom(items(param('rows'), { company_id: 'text' }))
      .innerJoin('ph_access', 'ph_access.company_id', 'item.company_id')
      .selectAll('ph_access'),
  );
  const listOfKey = define((param: Param<{ keyId: KeyId }>) =>
    selectAccess.where('key_id', '=', param('keyId')).orderBy('company_id'),
  );
  const definePage = (onlyActive: boolean) =>
    define((param: Param<{ keyId: KeyId; after: CompanyId; limit: number }>) => {
      const all = selectAccess.where('key_id', '=', param('keyId')).where('company_id', '>', param('after'));
      const range = onlyActive ? all.where('revoked_at', 'is', null) : all;
      return mergeRanges(preparation, [range], { columns: ['company_id'], direction: 'asc' }, param('limit'));
    });
  const [pageOfKey, activePageOfKey] = [definePage(false), definePage(true)];

  return (session) => ({
    find: (keyId, companyId) => session.read((run) => run.one(find, { keyId, companyId }, ACCESS.toValue)),
    save: (access) => session.write((run) => run.execute(save, ACCESS.toRow(access))),
    listOfCompanies: (companyIds) =>
      session.read(async (run) => {
        const asked = [...new Set(companyIds)].map((id) => ({ company_id: id }));
        return (await run.batch(listOfCompanies, asked, {})).rows.map(ACCESS.toValue);
      }),
    listOfKey: (keyId, page) =>
      session.read(async (run) => {
        if (page === undefined) return (await run.all(listOfKey, { keyId })).map(ACCESS.toValue);
        const { after, limit, onlyActive } = page;
        const statement = onlyActive ? activePageOfKey : pageOfKey;
        const rows = await run.all(statement, { keyId, after: after ?? ('' as CompanyId), limit });
        return rows.map(ACCESS.toValue);
      }),
  });
};
