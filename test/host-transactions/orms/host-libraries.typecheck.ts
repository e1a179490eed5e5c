/**
 * `receive` gets the type of the library's own transaction. `npm run typecheck:projects` compiles this file, and fails if an
 * expected error is missing. Nothing runs the file.
 */
import { createPartnerHiring } from '@partner-hiring/core';
import { createPostgresStorage } from '@partner-hiring/postgres';
import { fromDrizzle, inDrizzle } from '@partner-hiring/postgres/drizzle';
import { fromKnex, inKnex } from '@partner-hiring/postgres/knex';
import { inKysely } from '@partner-hiring/postgres/kysely';
import { inPg } from '@partner-hiring/postgres/pg';
import { fromPostgresJs, inPostgresJs } from '@partner-hiring/postgres/postgres-js';
import { fromTypeorm, inTypeorm } from '@partner-hiring/postgres/typeorm';
import { createSqliteStorage } from '@partner-hiring/sqlite';
import { inDrizzleSqlite } from '@partner-hiring/sqlite/drizzle';
import type { Database } from 'better-sqlite3';
import { sql as drizzleSql } from 'drizzle-orm';
import type { BetterSQLite3Database } from 'drizzle-orm/better-sqlite3';
import type { NodePgDatabase } from 'drizzle-orm/node-postgres';
import type { Knex } from 'knex';
import type { Kysely } from 'kysely';
import type { Pool } from 'pg';
import type { Sql } from 'postgres';
import type { DataSource } from 'typeorm';

/** What hosts may have at hand. */
interface Handles {
  readonly pool: Pool;
  readonly db: NodePgDatabase;
  readonly knex: Knex;
  readonly kysely: Kysely<{ candidate: { id: string } }>;
  readonly dataSource: DataSource;
  readonly sql: Sql;
  readonly file: BetterSQLite3Database & { $client: Database };
}

const secretKey = '0123456789abcdef'.repeat(4);

/** `receive` gets the transaction of the library that opens it. */
export async function inboxes({ pool, db, knex, kysely, dataSource, sql, file }: Handles) {
  const storage = await createPostgresStorage({ pool });
  const common = { storage, secretKey };
  createPartnerHiring({
    ...common,
    inbox: {
      transaction: inPg(pool),
      receive: async (_items, { tx }) => void (await tx.query('select 1')),
    },
  });
  createPartnerHiring({
    ...common,
    inbox: {
      transaction: inDrizzle(db, drizzleSql),
      async receive(_items, { tx }) {
        await tx.transaction(async (inner) => inner.execute('select 1'));
        // @ts-expect-error A transaction of Drizzle has no such method.
        await tx.insertInto('candidate');
      },
    },
  });
  createPartnerHiring({
    ...common,
    inbox: {
      transaction: inKnex(knex),
      receive: async (_items, { tx }) => void (await tx('candidate').insert({ id: '1' })),
    },
  });
  createPartnerHiring({
    ...common,
    inbox: {
      transaction: inKysely(kysely),
      async receive(_items, { tx }) {
        await tx.insertInto('candidate').values({ id: '1' }).execute();
        // @ts-expect-error The host has no such table.
        await tx.insertInto('person').execute();
      },
    },
  });
  createPartnerHiring({
    ...common,
    inbox: {
      transaction: inTypeorm(dataSource),
      receive: async (_items, { tx }) => void (await tx.insert('candidate', { id: '1' })),
    },
  });
  const { operator } = createPartnerHiring({
    ...common,
    inbox: {
      transaction: inPostgresJs(sql),
      receive: async (_items, { tx }) => void (await tx`select 1`),
    },
  });
  createPartnerHiring({
    storage: await createSqliteStorage({ file: 'never-opened.sqlite' }),
    secretKey,
    inbox: {
      transaction: inDrizzleSqlite(file),
      receive: (_items, { tx }) => void tx.run(drizzleSql`select 1`),
    },
  });

  await db.transaction(async (tx) => {
    operator.within(fromDrizzle(tx, drizzleSql));
    // @ts-expect-error The adapter is missing.
    operator.within(tx);
  });
  await knex.transaction(async (trx) => {
    operator.within(fromKnex(trx));
    // @ts-expect-error The adapter is missing.
    operator.within(trx);
  });
  await dataSource.transaction(async (manager) => {
    operator.within(fromTypeorm(manager));
    // @ts-expect-error The adapter is missing.
    operator.within(manager);
  });
  await sql.begin(async (tx) => {
    operator.within(fromPostgresJs(tx));
    // @ts-expect-error The adapter is missing.
    operator.within(tx);
  });
}
