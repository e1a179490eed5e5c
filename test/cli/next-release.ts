import { createPostgresStorage, type PostgresStorageOptions } from '@partner-hiring/postgres';
import { createSqliteStorage, type SqliteStorageOptions } from '@partner-hiring/sqlite';
import { makeMigrations } from '@partner-hiring/test-support/made-migrations';
import { onTestFinished, vi } from 'vitest';
import { INSTALLED_PACKAGES, type StoragePackages } from '../../packages/cli/src/connection/load-storage.js';
import { assertUpToDate, migrateTo } from '../../packages/postgres/src/migrate-postgres.js';
import { writeMigrationSql as writePostgresSql } from '../../packages/postgres/src/migration-sql.js';
import { postgresMigrations } from '../../packages/postgres/src/migrations.js';
import { openPool } from '../../packages/postgres/src/pool.js';
import { createSend } from '../../packages/postgres/src/query.js';
import { withDefaultTimeouts } from '../../packages/postgres/src/timeouts.js';
import { assertMigrated, migrateFileTo } from '../../packages/sqlite/src/migrate-sqlite.js';
import { writeMigrationSql as writeSqliteSql } from '../../packages/sqlite/src/migration-sql.js';
import { sqliteMigrations } from '../../packages/sqlite/src/migrations.js';

/** The migrations of this release and of a made-up next one. */
export const ON_POSTGRES = [...postgresMigrations(), ...makeMigrations(postgresMigrations(), 'postgres')];
export const ON_SQLITE = [...sqliteMigrations(), ...makeMigrations(sqliteMigrations(), 'sqlite')];

/** The storage packages of the next release. A storage opens only with all migrations. */
export const NEXT_RELEASE: StoragePackages = {
  postgres: async () => ({
    ...(await import('@partner-hiring/postgres')),
    listPostgresMigrations: () => ON_POSTGRES,
    migratePostgres: (options) => migrateTo(ON_POSTGRES, options),
    postgresMigrationSql: (options = {}) => writePostgresSql(ON_POSTGRES, options),
    createPostgresStorage: async (options) => {
      await assertAllOnPostgres(options);
      return createPostgresStorage(options);
    },
  }),
  sqlite: async () => ({
    ...(await import('@partner-hiring/sqlite')),
    listSqliteMigrations: () => ON_SQLITE,
    migrateSqlite: (options) => migrateFileTo(ON_SQLITE, options),
    sqliteMigrationSql: (options) => writeSqliteSql(ON_SQLITE, options),
    createSqliteStorage: async (options: SqliteStorageOptions) => {
      assertMigrated(options.file, ON_SQLITE);
      return createSqliteStorage(options);
    },
  }),
};

async function assertAllOnPostgres(options: PostgresStorageOptions): Promise<void> {
  const send = createSend({ prepared: false, statementMs: 5_000 });
  const connections = openPool(options, withDefaultTimeouts({ statementMs: 5_000 }), send);
  try {
    await assertUpToDate(connections, options.schema ?? '', ON_POSTGRES);
  } finally {
    await connections.close();
  }
}

/** Runs the rest of the test with the next release installed. */
export function installNextRelease(): void {
  const spies = [
    vi.spyOn(INSTALLED_PACKAGES, 'postgres').mockImplementation(NEXT_RELEASE.postgres),
    vi.spyOn(INSTALLED_PACKAGES, 'sqlite').mockImplementation(NEXT_RELEASE.sqlite),
  ];
  onTestFinished(() => {
    for (const spy of spies) spy.mockRestore();
  });
}
