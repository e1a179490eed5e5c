import type { STORED_TABLES } from './features/tables.js';
import type { SchemaOf } from './table.js';

/** All tables, for Kysely. */
export type Schema = {
  [Each in (typeof STORED_TABLES)[number] as Each['name']]: SchemaOf<Each['shape']>;
};
