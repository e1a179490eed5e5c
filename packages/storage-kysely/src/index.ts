export type {
  Assertions,
  Batches,
  ColumnKind,
  Dialect,
  JsonRows,
  LockTimeout,
  ShortLockTimeout,
  TableColumns,
} from './dialect.js';
export type {
  Driver,
  Execute,
  FileIdentity,
  TransactionOutcome,
  TransactionWork,
  Ways,
  Work,
} from './driver.js';
export type { ExportedRow, ExportedSnapshot } from './export-rows.js';
export { exportRows } from './features/exported.js';
export { STORED_TABLES } from './features/tables.js';
export {
  assertHandle,
  findAdvice,
  type HostAdvice,
  hasMethod,
  libraryTransactions,
  returnsRows,
  toDriverError,
  toPrismaCause,
  withoutStatement,
} from './host-libraries.js';
export { isAnyError } from './is-error.js';
export { lookUpEach } from './look-ups.js';
export { makeWhenRead } from './make-when-read.js';
export {
  type AppliedMigration,
  type Migration,
  type MigrationRow,
  type MigrationTarget,
  migrate,
  missingMigrations,
  readMigrations,
  toAppliedMigration,
} from './migrate.js';
export {
  checkStorageOptionNames,
  type StorageOptionNames,
  storageMisconfiguration,
  warnOnce,
} from './misconfiguration.js';
export type { Preparation } from './preparation.js';
export { MissingFeedHead } from './repositories/feed.js';
export type { Schema } from './schema.js';
export {
  createDirectSession,
  createHostSession,
  createTransactionSession,
  type Session,
} from './session.js';
export { define, type Param, type Statement } from './statement.js';
export { createKyselyStorage, createStorage, prepareRepositories, toPreparation } from './storage.js';
export type { RowOwner } from './table-rows.js';
