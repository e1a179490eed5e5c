/** The step of a deploy before the processes are replaced: migrates the library's tables, and creates the host's. */
import { migratePostgres } from '@partner-hiring/postgres';
import pg from 'pg';
import { print } from '../server/console-output.js';
import { readProcessSettings } from './settings.js';

const { databaseUrl: connectionString } = readProcessSettings(process.env);
await migratePostgres({ connectionString });

const client = new pg.Client({ connectionString, connectionTimeoutMillis: 5_000 });
await client.connect();
try {
  await client.query('create table if not exists candidate (id text primary key, job_id text not null)');
} finally {
  await client.end();
}
print('The database is migrated.');
