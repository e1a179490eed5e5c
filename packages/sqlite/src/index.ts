export { createSqliteStorage, type SqliteStorageOptions } from './create-sqlite-storage.js';
export type { SqliteTransaction } from './driver.js';
export type { SqliteStatements, SqliteValue } from './host-statements.js';
