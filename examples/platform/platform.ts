import { readFile } from 'node:fs/promises';
import { createPartnerHiring, type PartnerHiring } from '@partner-hiring/core';
import { createPostgresStorage, type PostgresTransaction } from '@partner-hiring/postgres';
import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import { consoleAlerts, consoleLogger } from '../server/console-output.js';
import { receiveCandidates } from './receive-candidates.js';

/** A hiring platform: its tables and the partner API on one pool. */
export interface Platform {
  readonly pool: pg.Pool;
  /** Kysely on the same pool. */
  readonly kysely: Kysely<PlatformTables>;
  readonly partnerHiring: PartnerHiring<PostgresTransaction>;
  close(): Promise<void>;
}

/** The platform's tables for Kysely. */
export interface PlatformTables {
  readonly employer: { readonly id: string; readonly name: string };
  readonly opening: { readonly id: string; readonly employer_id: string; readonly title: string };
}

/** The database and its schemas. */
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
    // Unqualified table names mean the platform's tables. The partner API names its own schema explicitly.
    options: `-c search_path=${schemas.own}`,
  });
  // Without these listeners, a lost connection would crash the process. Pending queries reject with the error
  // anyway.
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', () => {}));
  await createTables(pool, schemas.own);
  const partnerHiring = createPartnerHiring({
    storage: await createPostgresStorage({ pool, schema: schemas.partner }),
    secretKey: '0123456789abcdef'.repeat(4), // example only; load yours from a secret store
    inbox: { receive: (items, { tx }) => receiveCandidates(tx, items) },
    alerts: consoleAlerts,
    logger: consoleLogger,
    // Allows webhooks to the example's receiver, which uses plain http on this machine. Remove this in
    // production.
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
