import type { Access, AccessRepository, CompanyId, KeyId } from '@partner-hiring/core/ports';
import type { JsonRows } from '../dialect.js';
import { mergeRanges } from '../merged-ranges.js';

import type { Prepare } from '../preparation.js';
import type { AccessTable } from '../schema.js';
import { define, type Param } from '../statement.js';

export const prepareAccess: Prepare<AccessRepository> = (preparation) => {
  const { queries, items } = preparation;
  const selectAccess = queries.selectFrom('ph_access').selectAll('ph_access');

  const find = define((param: Param<{ keyId: KeyId; companyId: CompanyId }>) =>
    selectAccess.where('key_id', '=', param('keyId')).where('company_id', '=', param('companyId')),
  );
  const save = define((param: Param<AccessTable>) =>
    queries
      .insertInto('ph_access')
      .values({
        key_id: param('key_id'),
        company_id: param('company_id'),
        granted_at: param('granted_at'),
        revoked_at: param('revoked_at'),
        bootstrap_until: param('bootstrap_until'),
      })
      .onConflict((conflict) =>
        conflict.columns(['key_id', 'company_id']).doUpdateSet((eb) => ({
          granted_at: eb.ref('excluded.granted_at'),
          revoked_at: eb.ref('excluded.revoked_at'),
          bootstrap_until: eb.ref('excluded.bootstrap_until'),
        })),
      ),
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
    find: (keyId, companyId) =>
      session.read(async (run) => {
        const row = await run.first(find, { keyId, companyId });
        return row === null ? null : toAccess(row);
      }),
    save: (access) => session.write((run) => run.execute(save, fromAccess(access))),
    listOfCompanies: (companyIds) =>
      session.read(async (run) => {
        const asked = [...new Set(companyIds)].map((id) => ({ company_id: id }));
        return (await run.batch(listOfCompanies, asked, {})).rows.map(toAccess);
      }),
    listOfKey: (keyId, page) =>
      session.read(async (run) => {
        if (page === undefined) return (await run.all(listOfKey, { keyId })).map(toAccess);
        const { after, limit, onlyActive } = page;
        const statement = onlyActive ? activePageOfKey : pageOfKey;
        const rows = await run.all(statement, { keyId, after: after ?? ('' as CompanyId), limit });
        return rows.map(toAccess);
      }),
  });
};

function fromAccess(access: Access): AccessTable {
  return {
    key_id: access.keyId,
    company_id: access.companyId,
    granted_at: access.grantedAt,
    revoked_at: access.revokedAt,
    bootstrap_until: access.bootstrapUntil,
  };
}

function toAccess(row: AccessTable): Access {
  return {
    keyId: row.key_id,
    companyId: row.company_id,
    grantedAt: row.granted_at,
    revokedAt: row.revoked_at,
    bootstrapUntil: row.bootstrap_until,
  };
}
