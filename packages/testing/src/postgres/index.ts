/**
 * A temporary schema for `createTestInstance`.
 * @packageDocumentation
 */
export {
  type TemporaryPostgres,
  type TemporaryPostgresOptions,
  temporaryPostgres,
} from './temporary-postgres.js';
