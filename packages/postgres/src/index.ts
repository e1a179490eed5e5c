export { addPostgresCell, type PostgresCellOptions } from './cells/add-postgres-cell.js';
export {
  POSTGRES_COMMANDS,
  type PostgresCommand,
  type PostgresCommandGroup,
  type PostgresCommandResult,
} from './cells/commands.js';
export { inspectPostgresSchemas, type PostgresSchemasReport } from './cells/inspect-schemas.js';
export { listPostgresCells, type PostgresCell } from './cells/list-postgres-cells.js';
export {
  movePostgresPartner,
  type PostgresMove,
  type PostgresMoveOptions,
} from './cells/move-postgres-partner.js';
export type { PostgresCellsOptions } from './cells/open-cells.js';
export { createPostgresStorage, type PostgresStorageOptions } from './create-postgres-storage.js';
export type { PostgresRows, PostgresStatements, PostgresValue } from './host-statements.js';
export type { KyselyTransaction, PostgresTransaction } from './host-transaction.js';
export { listenForWork, type WorkListener, type WorkListenerOptions } from './listen-for-work.js';
export {
  listPostgresMigrations,
  migratePostgres,
  type PostgresMigrationOptions,
  type PostgresMigrationStep,
} from './migrate-postgres.js';
export { type PostgresMigrationSqlOptions, postgresMigrationSql } from './migration-sql.js';
export {
  openPostgresReader,
  type PostgresReader,
  type PostgresReaderOptions,
} from './open-postgres-reader.js';
export type { PostgresConnection } from './pool.js';
export type { PostgresSchemas } from './schemas.js';
export type { PostgresTimeouts } from './timeouts.js';
export type { PostgresTls } from './tls.js';
