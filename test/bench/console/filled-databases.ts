import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Storage } from '@partner-hiring/core';
import { createPostgresStorage } from '@partner-hiring/postgres';
import { createSqliteStorage } from '@partner-hiring/sqlite';
import Sqlite from 'better-sqlite3';
import { Client } from 'pg';
import type { ServerSettings } from '../../../examples/platform/database/embedded-postgres.js';
import { openDatabases } from '../databases.js';
import { fillKeys } from '../spread/filled-keys.js';

/** How full the console's database is. Applications and dead letters are those of each key. */
export interface ConsoleFill {
  readonly keys: number;
  readonly applications: number;
  readonly deadLetters: number;
  readonly requests: number;
}

interface FilledStorage {
  readonly storage: Storage<never>;
  close(): Promise<void>;
}

/** Rows that are copied at a time. */
const BATCH = 20_000;

const COLUMNS = `
  select table_name as "table", array_agg(column_name::text order by ordinal_position) as columns
  from information_schema.columns
  where table_schema = 'partner_hiring' and table_name like 'ph\\_%' and is_generated = 'NEVER' and table_name <> 'ph_schema_migration'
  group by table_name`;

/** Makes a PostgreSQL database that is filled so. */
export async function openFilledPostgres(
  fill: ConsoleFill,
  settings: ServerSettings,
): Promise<FilledStorage> {
  const databases = await openDatabases(settings);
  const connectionString = await databases.create();
  await fillDatabase(connectionString, fill);
  const storage = await createPostgresStorage({ connectionString });
  return { storage, close: databases.close };
}

/** Makes a SQLite database with the rows that PostgreSQL has after the same filling. */
export async function openFilledSqlite(fill: ConsoleFill, settings: ServerSettings): Promise<FilledStorage> {
  const databases = await openDatabases(settings);
  const connectionString = await databases.create();
  await fillDatabase(connectionString, fill);
  const folder = mkdtempSync(join(tmpdir(), 'partner-hiring-bench-'));
  const file = join(folder, 'bench.sqlite');
  await (await createSqliteStorage({ file })).close();
  await copyRows(connectionString, file);
  await databases.close();
  const storage = await createSqliteStorage({ file });
  return { storage, close: async () => rmSync(folder, { recursive: true, force: true }) };
}

async function fillDatabase(connectionString: string, fill: ConsoleFill): Promise<void> {
  await fillKeys(connectionString, fill);
  const client = new Client({ connectionString });
  await client.connect();
  await client.query('set search_path = partner_hiring');
  const values = [fill.deadLetters, fill.requests, Date.now()];
  const sql = readFileSync(new URL('../console/fill.sql', import.meta.url), 'utf8');
  await client.query(
    values.reduce<string>((text, value, at) => text.replaceAll(`$${at + 1}`, `${value}`), sql),
  );
  await client.end();
}

async function copyRows(connectionString: string, file: string): Promise<void> {
  const client = new Client({ connectionString });
  await client.connect();
  const handle = new Sqlite(file);
  handle.pragma('foreign_keys = off');
  const { rows: tables } = await client.query<{ table: string; columns: string[] }>(COLUMNS);
  const known = handle.prepare("select 1 from sqlite_schema where type = 'table' and name = ?");
  for (const { table, columns } of tables.filter(({ table }) => known.get(table) !== undefined)) {
    const places = columns.map(() => '?').join(', ');
    const insert = handle.prepare(
      `insert or replace into ${table} (${columns.join(', ')}) values (${places})`,
    );
    const add = handle.transaction((rows: unknown[][]) => {
      for (const row of rows) insert.run(row);
    });
    await client.query(
      `begin; declare copied cursor for select ${columns.join(', ')} from partner_hiring.${table}`,
    );
    for (;;) {
      const { rows } = await client.query<unknown[]>({
        text: `fetch ${BATCH} from copied`,
        rowMode: 'array',
      });
      if (rows.length === 0) break;
      add(rows);
    }
    await client.query('commit');
  }
  handle.exec('analyze');
  handle.close();
  await client.end();
}
