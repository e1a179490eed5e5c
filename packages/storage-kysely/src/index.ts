export type { Assertions, Batches, ColumnKind, Columns, Dialect, JsonRows, Unnest } from './dialect.js';
export type { Driver, Execute, Outcome, TransactionWork, Ways, Work } from './driver.js';
export {
  type AppliedMigration,
  type Migration,
  type MigrationTarget,
  migrate,
  missingMigrations,
  readMigrations,
} from './migrate.js';
export { checkOptionNames, type OptionNames } from './option-names.js';
export type { Schema } from './schema.js';
export { createKyselyStorage } from './storage.js';
export { warnOnce } from './warn-once.js';
