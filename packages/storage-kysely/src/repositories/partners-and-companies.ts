import type {
  AccessRepository,
  CompanyId,
  CompanyRepository,
  KeyId,
  PartnerId,
  PartnerRepository,
} from '@partner-hiring/core/ports';
import { defineInsert, insertOne, prepareFindEach, replace } from '../batch.js';
import type { JsonRows } from '../dialect.js';
import { type AgeParams, ageParams, OLDEST_FIRST } from '../feed-page.js';
import { inOrder } from '../mapping.js';
import { beyond, mergeRanges } from '../merged-ranges.js';
import type { Prepare } from '../preparation.js';
import { define, type Param, WRITTEN } from '../statement.js';
import type { Row } from '../table.js';
import { ACCESS, COMPANIES, PARTNERS } from '../tables/index.js';
import { prepareNameWords } from './name-words.js';

export const preparePartners: Prepare<PartnerRepository> = (preparation) => {
  const { queries, lockRows } = preparation;
  const words = prepareNameWords(preparation, 'partner');
  const findEach = prepareFindEach(preparation, PARTNERS, ['id']);
  const add = define((param: Param<Row<typeof PARTNERS>>) =>
    insertOne(preparation, PARTNERS, param)
      .onConflict((conflict) => conflict.doNothing())
      .returning(WRITTEN),
  );
  const find = define((param: Param<{ id: PartnerId }>) =>
    queries.selectFrom('ph_partner').selectAll().where('id', '=', param('id')),
  );
  const findForUpdate = define((param: Param<{ id: PartnerId }>) =>
    queries.selectFrom('ph_partner').selectAll().where('id', '=', param('id')).$call(lockRows),
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
    define((param: Param<AgeParams<PartnerId>>) =>
      mergeRanges(
        preparation,
        [
          queries
            .selectFrom('ph_partner')
            .selectAll()
            .where(beyond('>', { created_at: param('createdAt'), id: param('id') }))
            .where('removed_at', removed ? 'is not' : 'is', null),
        ],
        OLDEST_FIRST,
        param('limit'),
      ),
    );
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
    find: (session, id) => session.read((run) => run.one(find, { id }, PARTNERS.toValue)),
    findForUpdate: (session, id) => session.read((run) => run.one(findForUpdate, { id }, PARTNERS.toValue)),
    findMany: (session, ids) =>
      findEach(
        session,
        ids.map((id) => ({ id })),
      ),
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
  const { queries, items, lockRows } = preparation;
  const words = prepareNameWords(preparation, 'company');
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
  const findEach = prepareFindEach(preparation, COMPANIES, ['id']);
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
  const page = define((param: Param<AgeParams<CompanyId>>) =>
    mergeRanges(
      preparation,
      [
        queries
          .selectFrom('ph_company')
          .selectAll()
          .where(beyond('>', { created_at: param('createdAt'), id: param('id') })),
      ],
      OLDEST_FIRST,
      param('limit'),
    ),
  );

  return {
    find: (session, id) => session.read((run) => run.one(find, { id }, COMPANIES.toValue)),
    findMany: (session, ids) =>
      findEach(
        session,
        ids.map((id) => ({ id })),
      ),
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
        if (page === undefined) return (await run.all(listOfKey, { keyId })).map(ACCESS.toValue);
        const { after, limit, onlyActive } = page;
        const statement = onlyActive ? activePageOfKey : pageOfKey;
        const rows = await run.all(statement, { keyId, after: after ?? ('' as CompanyId), limit });
        return rows.map(ACCESS.toValue);
      }),
  };
};
