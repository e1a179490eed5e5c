export { type Cell, type CellsOptions, createCellsStorage } from './cells/cells-storage.js';
export type {
  Assertions,
  Batches,
  ColumnKind,
  Columns,
  Dialect,
  JsonRows,
  LockTimeout,
  ShortLockTimeout,
  Unnest,
} from './dialect.js';
export type { Driver, Execute, Outcome, TransactionWork, Ways, Work } from './driver.js';
export {
  assertHandle,
  findAdvice,
  type HostAdvice,
  hasMethod,
  libraryTransactions,
  returnsRows,
  toDriverError,
  withoutStatement,
} from './host-libraries.js';
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
export { checkOptionNames, type OptionNames, warnOnce } from './misconfiguration.js';
export type { Schema } from './schema.js';
export { createKyselyStorage } from './storage.js';
