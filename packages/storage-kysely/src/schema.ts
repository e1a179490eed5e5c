import type * as ofFeatures from './features/tables.js';
import type { SchemaOf } from './table.js';
import type * as ofBase from './tables/index.js';

type Tables = typeof ofBase & typeof ofFeatures;

type Described = Extract<Tables[keyof Tables], { readonly shape: unknown }>;

/** All tables, for Kysely. */
export type Schema = {
  [Each in Described as Each['name']]: SchemaOf<Each['shape']>;
};
