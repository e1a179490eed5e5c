import { readFile } from 'node:fs/promises';
import { createPartnerHiring, type PartnerHiring } from '@partner-hiring/core';
import { createPostgresStorage, type PostgresTransaction } from '@partner-hiring/postgres';
import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import { consoleAlerts, consoleLogger } from '../server/console-output.js';

/** A hiring platform: its own tables and the partner API on one pool. */
export interface Platform {
  readonly pool: pg.Pool;
  /** The same pool, for those who like Kysely. */
  readonly kysely: Kysely<PlatformTables>;
  readonly partnerHiring: PartnerHiring<PostgresTransaction>;
  close(): Promise<void>;
}

/** What Kysely knows of the platform's tables. */
export interface PlatformTables {
  readonly employer: { readonly id: string; readonly name: string };
  readonly opening: { readonly id: string; readonly employer_id: string; readonly title: string };
}

/** Where the platform's tables and those of the partner API lie. */
export interface PlatformSchemas {
  readonly own: string;
  readonly partner: string;
}

/** Opens the platform on a database. */
export async function openPlatform(connectionString: string, schemas: PlatformSchemas): Promise<Platform> {
  const pool = new pg.Pool({
    connectionString,
    max: 10,
    connectionTimeoutMillis: 5_000,
    // The platform's tables are found by the search path. The partner API names its schema itself.
    options: `-c search_path=${schemas.own}`,
  });
  // A connection that is lost, idle or while a transaction of the platform's has it: whoever waits for an answer gets
  // the error from there, and without listeners it would end the process.
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', () => {}));
  await createTables(pool, schemas.own);
  const partnerHiring = createPartnerHiring({
    storage: await createPostgresStorage({ pool, schema: schemas.partner }),
    secretKey: '0123456789abcdef'.repeat(4), // of this example; yours comes from your secret store
    alerts: consoleAlerts,
    logger: consoleLogger,
    // The partner of this example listens on this machine, in plain http. Leave this out in production.
    allowPrivateNetworks: true,
  });
  return {
    pool,
    kysely: new Kysely<PlatformTables>({ dialect: new PostgresDialect({ pool }) }),
    partnerHiring,
    close: async () => {
      await partnerHiring.close();
      await pool.end();
    },
  };
}

async function createTables(pool: pg.Pool, schema: string): Promise<void> {
  await pool.query(`create schema ${schema}`);
  await pool.query(await readFile(new URL('tables.sql', import.meta.url), 'utf8'));
}
