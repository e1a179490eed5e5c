export { createSqliteStorage, type SqliteStorageOptions } from './create-sqlite-storage.js';
export type { SqliteTransaction } from './driver.js';
export type { SqliteStatements, SqliteValue } from './host-statements.js';
export {
  listSqliteMigrations,
  migrateSqlite,
  type SqliteMigrationOptions,
  type SqliteMigrationStep,
} from './migrate-sqlite.js';
export { type SqliteMigrationSqlOptions, sqliteMigrationSql } from './migration-sql.js';
export { sharedFileSystemOf } from './mounts.js';
export { openSqliteReader, type SqliteReader, type SqliteReaderOptions } from './open-sqlite-reader.js';
