/**
 * Only the storage's own kind of transaction compiles. The compiler reads this and nobody runs it: where an
 * expected error is missing, `npm run typecheck` fails.
 */
import { createPartnerHiring } from '@partner-hiring/core';
import { createPostgresStorage } from '@partner-hiring/postgres';
import { createSqliteStorage } from '@partner-hiring/sqlite';
import type { Database } from 'better-sqlite3';
import type { Kysely, Transaction } from 'kysely';
import type { Client, Pool, PoolClient } from 'pg';

/** Tables of a host's, which are none of ours. */
interface HostTables {
  readonly opening: { readonly id: string };
}

/** Objects that a host might pass to `within`. */
interface Handles {
  readonly client: Client;
  readonly poolClient: PoolClient;
  readonly pool: Pool;
  readonly kysely: Kysely<HostTables>;
  readonly trx: Transaction<HostTables>;
  readonly database: Database;
}

const secretKey = '0123456789abcdef'.repeat(4);

/** On PostgreSQL. */
export async function onPostgres({ client, poolClient, pool, kysely, trx, database }: Handles) {
  const storage = await createPostgresStorage({ pool });
  const { operator } = createPartnerHiring({ storage, secretKey });
  operator.within(client);
  operator.within(poolClient);
  operator.within(trx);
  // @ts-expect-error Each statement of a pool may run on another connection.
  operator.within(pool);
  // @ts-expect-error This is where transactions begin, and none.
  operator.within(kysely);
  // @ts-expect-error Another database.
  operator.within(database);
}

/** On SQLite. */
export async function onSqlite({ client, pool, kysely, trx, database }: Handles) {
  const storage = await createSqliteStorage({ file: 'never-opened.sqlite' });
  const { operator } = createPartnerHiring({ storage, secretKey });
  operator.within(database);
  // @ts-expect-error Another database.
  operator.within(client);
  // @ts-expect-error Another database.
  operator.within(pool);
  // @ts-expect-error Whatever it begins on, our statements need the handle itself.
  operator.within(kysely);
  // @ts-expect-error The same.
  operator.within(trx);
}
