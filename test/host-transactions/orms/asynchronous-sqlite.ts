import type { SqliteTransaction } from '@partner-hiring/sqlite';
import { fromKnexSqlite } from '@partner-hiring/sqlite/knex';
import { fromTypeormSqlite } from '@partner-hiring/sqlite/typeorm';
import createKnex, { type Knex } from 'knex';
import { DataSource, type EntityManager, EntitySchema } from 'typeorm';
import type { SqliteLibrary } from '../libraries/sqlite-library.js';
import type { HireRow, HostWork } from '../library.js';

export const knexSqliteLibrary: SqliteLibrary = {
  name: 'Knex',
  open: async (filename) => {
    const knex = createKnex({
      client: 'better-sqlite3',
      connection: { filename },
      useNullAsDefault: true,
      log: { warn: () => {}, error: () => {} },
    });
    const workIn = (trx: Knex.Transaction): HostWork<SqliteTransaction> => ({
      hostTx: fromKnexSqlite(trx),
      insert: async (id) => trx('hire').insert({ id }),
      run: async (text) => trx.raw(text),
      nested: (work) => trx.transaction((inner) => work(workIn(inner))),
    });
    return {
      transaction: (work) => knex.transaction((trx) => work(workIn(trx))),
      wrong: [
        // @ts-expect-error -- the instance runs each statement on its own
        ['the instance', () => fromKnexSqlite(knex)],
      ],
      close: () => knex.destroy(),
    };
  },
};

export const typeormSqliteLibrary: SqliteLibrary = {
  name: 'TypeORM',
  open: async (database) => {
    const Hire = new EntitySchema<HireRow>({
      name: 'hire',
      columns: { id: { type: 'text', primary: true } },
    });
    const dataSource = new DataSource({ type: 'better-sqlite3', database, entities: [Hire], logging: false });
    await dataSource.initialize();
    const workIn = (manager: EntityManager): HostWork<SqliteTransaction> => ({
      hostTx: fromTypeormSqlite(manager),
      insert: (id) => manager.insert(Hire, { id }),
      run: (text) => manager.query(text),
      nested: (work) => manager.transaction((inner) => work(workIn(inner))),
    });
    return {
      transaction: (work) => dataSource.transaction((manager) => work(workIn(manager))),
      wrong: [
        // @ts-expect-error -- the data source has no transaction
        ['the data source', () => fromTypeormSqlite(dataSource)],
        ['a manager without a transaction', () => fromTypeormSqlite(dataSource.manager)],
      ],
      close: () => dataSource.destroy(),
    };
  },
};
