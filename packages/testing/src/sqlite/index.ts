/**
 * A temporary database for `createTestInstance`.
 * @packageDocumentation
 */
export { type TemporarySqlite, temporarySqlite } from './temporary-sqlite.js';
