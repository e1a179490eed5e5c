import type { SqliteTransaction } from '@partner-hiring/sqlite';
import { fromKnexSqlite } from '@partner-hiring/sqlite/knex';
import { fromKyselySqlite } from '@partner-hiring/sqlite/kysely';
import { fromTypeormSqlite } from '@partner-hiring/sqlite/typeorm';
import Sqlite from 'better-sqlite3';
import createKnex, { type Knex } from 'knex';
import { Kysely, SqliteDialect, sql, type Transaction } from 'kysely';
import { DataSource, type EntityManager, EntitySchema } from 'typeorm';
import type { HireRow, HostWork } from '../library.js';
import type { SqliteLibrary } from './sqlite-library.js';

interface Tables {
  hire: HireRow;
}

export const kyselySqliteLibrary: SqliteLibrary = {
  name: 'Kysely',
  open: async (file) => {
    const db = new Kysely<Tables>({ dialect: new SqliteDialect({ database: new Sqlite(file) }) });
    const workIn = (trx: Transaction<Tables>): HostWork<SqliteTransaction> => ({
      hostTx: fromKyselySqlite(trx),
      insert: (id) => trx.insertInto('hire').values({ id }).execute(),
      run: (text) => sql.raw(text).execute(trx),
    });
    return {
      transaction: (work) => db.transaction().execute((trx) => work(workIn(trx))),
      wrong: [
        // @ts-expect-error -- not the instance, but a transaction of it
        ['the instance', () => fromKyselySqlite(db)],
      ],
      close: () => db.destroy(),
    };
  },
};

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
