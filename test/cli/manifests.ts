import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { listPostgresMigrations, migratePostgres } from '@partner-hiring/postgres';
import { listSqliteMigrations, migrateSqlite } from '@partner-hiring/sqlite';
import { resolveAddress } from '../../packages/cli/src/doctor/database/address.js';
import { openDoctorDatabase } from '../../packages/cli/src/doctor/database/open-database.js';
import { readPostgresTables } from '../../packages/cli/src/doctor/manifest/read-postgres.js';
import { readSqliteTables } from '../../packages/cli/src/doctor/manifest/read-sqlite.js';
import type { SchemaManifest } from '../../packages/cli/src/doctor/manifest/schema-manifest.js';

const TIMEOUT_MS = 10_000;

/** Migrates a new schema, and returns its manifest. The caller drops the schema. */
export async function makePostgresManifest(
  connectionString: string,
  schema: string,
): Promise<SchemaManifest> {
  await migratePostgres({ connectionString, schema });
  const database = await openDoctorDatabase(resolveAddress(connectionString, schema), TIMEOUT_MS);
  try {
    const version = listPostgresMigrations().at(-1)?.version ?? 0;
    return { version, tables: await readPostgresTables(database, schema) };
  } finally {
    await database.close();
  }
}

/** Migrates a new file in a temporary folder, and returns its manifest. */
export async function makeSqliteManifest(): Promise<SchemaManifest> {
  const folder = mkdtempSync(join(tmpdir(), 'ph-manifest-'));
  try {
    const file = join(folder, 'manifest.sqlite');
    await migrateSqlite({ file });
    const database = await openDoctorDatabase(resolveAddress(file), TIMEOUT_MS);
    const version = listSqliteMigrations().at(-1)?.version ?? 0;
    const tables = await readSqliteTables(database);
    await database.close();
    return { version, tables };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Returns a manifest as its file has it. */
export function manifestText(manifest: SchemaManifest): string {
  return `${JSON.stringify(manifest, null, 2)}\n`;
}

/** Returns the path of the manifest of a database. */
export function manifestFile(kind: 'postgres' | 'sqlite'): URL {
  return new URL(`../../packages/cli/src/doctor/manifest/${kind}.json`, import.meta.url);
}
