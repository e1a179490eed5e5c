import type {
  AccessRepository,
  CompanyId,
  CompanyRepository,
  KeyId,
  PartnerId,
  PartnerRepository,
} from '@partner-hiring/core/ports';
import { defineInsert, insertOne, replace, selectItems } from '../batch.js';
import type { JsonRows } from '../dialect.js';
import { type AgeParams, ageParams, OLDEST_FIRST } from '../feed-page.js';
import { prepareFind, prepareFindByIds } from '../look-ups.js';
import { inOrder } from '../mapping.js';
import { beyond, defineMerged, mergeRanges } from '../merged-ranges.js';
import type { Prepare } from '../preparation.js';
import { define, type Param, WRITTEN } from '../statement.js';
import type { Row } from '../table.js';
import { ACCESS, COMPANIES, PARTNERS } from '../tables/index.js';
import { prepareNameWords } from './name-words.js';

export const preparePartners: Prepare<PartnerRepository> = (preparation) => {
  const { queries, lockRows } = preparation;
  const words = prepareNameWords(preparation, 'partner');
  const add = define((param: Param<Row<typeof PARTNERS>>) =>
    insertOne(preparation, PARTNERS, param)
      .onConflict((conflict) => conflict.doNothing())
      .returning(WRITTEN),
  );
  const save = define((param: Param<Row<typeof PARTNERS>>) =>
    queries
      .updateTable('ph_partner')
      .set({
        name: param('name'),
        contact: param('contact'),
        disabled_at: param('disabled_at'),
        removed_at: param('removed_at'),
      })
      .where('id', '=', param('id')),
  );
  const list = define(() => queries.selectFrom('ph_partner').selectAll().orderBy('created_at').orderBy('id'));
  const definePage = (removed: boolean) =>
    defineMerged(preparation, OLDEST_FIRST, (param: Param<AgeParams<PartnerId>>) => [
      queries
        .selectFrom('ph_partner')
        .selectAll()
        .where(beyond('>', { created_at: param('createdAt'), id: param('id') }))
        .where('removed_at', removed ? 'is not' : 'is', null),
    ]);
  const page = definePage(false);
  const removedPage = definePage(true);

  return {
    add: (session, partner) =>
      session.write(async (run) => {
        const row = PARTNERS.toRow({ ...partner, contact: null, disabledAt: null, removedAt: null });
        if ((await run.count(add, row)) === 0) return 'exists';
        await words.add(run, [partner]);
        return 'added';
      }),
    find: prepareFind(preparation, PARTNERS, 'id'),
    findForUpdate: prepareFind(preparation, PARTNERS, 'id', lockRows),
    findMany: prepareFindByIds(preparation, PARTNERS, 'id'),
    save: (session, partner) =>
      session.write(async (run) => {
        await Promise.all([run.execute(save, PARTNERS.toRow(partner)), words.save(run, [partner])]);
      }),
    list: (session, asked) =>
      session.read(async (run) => {
        const pages = asked?.removed === true ? removedPage : page;
        const rows = asked ? await run.all(pages, ageParams(asked)) : await run.all(list, {});
        return rows.map(PARTNERS.toValue);
      }),
  };
};

export const prepareCompanies: Prepare<CompanyRepository> = (preparation) => {
  const { queries, lockRows } = preparation;
  const words = prepareNameWords(preparation, 'company');
  const findForUpdate = define((param: Param<{ rows: JsonRows<{ id: CompanyId }> }>) =>
    queries
      .selectFrom('ph_company')
      .selectAll()
      .where('id', 'in', selectItems(preparation, param('rows'), 'id'))
      .orderBy('id')
      .$call(lockRows),
  );
  const addMissing = defineInsert(preparation, {
    table: COMPANIES,
    finish: (insert) => insert.onConflict((conflict) => conflict.doNothing()).returning('id'),
  });
  const rename = define((param: Param<Pick<Row<typeof COMPANIES>, 'id' | 'name'>>) =>
    queries
      .updateTable('ph_company')
      .set({ name: param('name') })
      .where('id', '=', param('id')),
  );
  const list = define(() => queries.selectFrom('ph_company').selectAll().orderBy('created_at').orderBy('id'));
  const page = defineMerged(preparation, OLDEST_FIRST, (param: Param<AgeParams<CompanyId>>) => [
    queries
      .selectFrom('ph_company')
      .selectAll()
      .where(beyond('>', { created_at: param('createdAt'), id: param('id') })),
  ]);

  return {
    find: prepareFind(preparation, COMPANIES, 'id'),
    findMany: prepareFindByIds(preparation, COMPANIES, 'id'),
    findForUpdate: (session, ids) =>
      session.read(async (run) => {
        const ascending = [...new Set(ids)].sort().map((id) => ({ id }));
        const { rows } = await run.batch(findForUpdate, ascending, {});
        return inOrder(ids, rows, (row) => row.id, COMPANIES.toValue);
      }),
    addMissing: (session, companies) =>
      session.write(async (run) => {
        const { rows } = await run.batch(addMissing, companies.map(COMPANIES.toRow), {});
        const added = new Set(rows.map((row) => row.id));
        await words.add(
          run,
          companies.filter(({ id }) => added.has(id)),
        );
        return [...added];
      }),
    save: (session, { id, name }) =>
      session.write(async (run) => {
        await Promise.all([run.execute(rename, { id, name }), words.save(run, [{ id, name }])]);
      }),
    list: (session, asked) =>
      session.read(async (run) => {
        const rows = asked ? await run.all(page, ageParams(asked)) : await run.all(list, {});
        return rows.map(COMPANIES.toValue);
      }),
  };
};

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
  const pageOfKey = definePage(false);
  const activePageOfKey = definePage(true);

  return {
    find: (session, keyId, companyId) =>
      session.read((run) => run.one(find, { keyId, companyId }, ACCESS.toValue)),
    save: (session, access) => session.write((run) => run.execute(save, ACCESS.toRow(access))),
    listOfCompanies: (session, companyIds) =>
      session.read(async (run) => {
        const asked = [...new Set(companyIds)].map((id) => ({ company_id: id }));
        return (await run.batch(listOfCompanies, asked, {})).rows.map(ACCESS.toValue);
      }),
    listOfKey: (session, keyId, page) =>
      session.read(async (run) => {
        if (page === undefined) return run.list(listOfKey, { keyId }, ACCESS.toValue);
        const { after, limit, onlyActive } = page;
        const statement = onlyActive ? activePageOfKey : pageOfKey;
        return run.list(statement, { keyId, after: after ?? ('' as CompanyId), limit }, ACCESS.toValue);
      }),
  };
};
