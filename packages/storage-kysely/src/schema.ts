import type { SchemaOf } from './table.js';
import type * as tables from './tables/index.js';

type Described = Extract<(typeof tables)[keyof typeof tables], { readonly shape: unknown }>;

/** All tables, for Kysely. */
export type Schema = {
  [Each in Described as Each['name']]: SchemaOf<Each['shape']>;
};
