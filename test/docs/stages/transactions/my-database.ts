import { Kysely, PostgresDialect } from 'kysely';
import { pool } from './on-postgres.js';

/** The host's own tables. */
interface Tables {
  readonly opening: { readonly id: string; readonly is_open: boolean };
}

export const kysely = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
