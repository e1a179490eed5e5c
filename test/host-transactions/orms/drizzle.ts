import type { PostgresTransaction } from '@partner-hiring/postgres';
import { fromDrizzle, inDrizzle } from '@partner-hiring/postgres/drizzle';
import { sql } from 'drizzle-orm';
import { drizzle as onPg } from 'drizzle-orm/node-postgres';
import type { PgDatabase, PgQueryResultHKT } from 'drizzle-orm/pg-core';
import { pgSchema, text } from 'drizzle-orm/pg-core';
import { drizzle as onPostgresJs } from 'drizzle-orm/postgres-js';
import postgres from 'postgres';
import {
  type OpenPostgresLibrary,
  openPool,
  type PostgresLibrary,
  type PostgresPlace,
  untyped,
} from '../libraries/postgres-library.js';
import { type HostWork, idsOf } from '../library.js';

function open<Result extends PgQueryResultHKT>(
  db: PgDatabase<Result>,
  { schema }: PostgresPlace,
  close: () => Promise<unknown>,
): OpenPostgresLibrary {
  const hire = pgSchema(schema).table('hire', { id: text('id').primaryKey() });
  type Transaction = Parameters<Parameters<typeof db.transaction>[0]>[0];
  const workIn = (tx: Transaction): HostWork<PostgresTransaction> => ({
    hostTx: fromDrizzle(tx, sql),
    insert: async (id) => tx.insert(hire).values({ id }),
    run: async (text) => tx.execute(sql.raw(text)),
    nested: (work) => tx.transaction((inner) => work(workIn(inner))),
  });
  return {
    transaction: (work) => db.transaction((tx) => work(workIn(tx))),
    inbox: untyped({
      transaction: inDrizzle(db, sql),
      receive: async (items: Parameters<typeof idsOf>[0], { tx }: { readonly tx: Transaction }) => {
        await tx.insert(hire).values(idsOf(items));
      },
    }),
    wrong: [
      // @ts-expect-error -- each statement of the database may run on another connection
      ['the database', () => fromDrizzle(db, sql)],
      // @ts-expect-error -- the tag is missing
      ['no tag', () => fromDrizzle({ execute: async () => [], rollback: () => {} })],
    ],
    close,
  };
}

export const drizzleLibrary: PostgresLibrary = {
  name: 'Drizzle on pg',
  open: async (place) => {
    const pool = openPool(place);
    return open(onPg(pool), place, () => pool.end());
  },
};

export const drizzleOnPostgresJs: PostgresLibrary = {
  name: 'Drizzle on postgres.js',
  open: async (place) => {
    const client = postgres(place.connectionString, { max: 3, fetch_types: false, onnotice: () => {} });
    return {
      ...open(onPostgresJs(client), place, () => client.end()),
      abandon: () => client.end({ timeout: 0 }),
    };
  },
};
