import type { Migration } from '@partner-hiring/storage-kysely';

/**
 * The steps of a made-up next release. The library ships one migration, so without these no test would run several.
 * They add a column, build an index and drop one while requests run, add a table, and fill rows in batches.
 */
const STEPS = [
  ['add_column', 'alter table ph_application add column newer text;'],
  [
    'add_index',
    '-- For the newest list.\n-- online: concurrently\ncreate index concurrently ph_application_newer on ph_application (newer, id);\n',
  ],
  ['drop_index', '-- online: concurrently\ndrop index concurrently ph_application_newer;\n'],
  [
    'add_table',
    'create table ph_note (id text not null primary key, note text);\ncreate index ph_note_by_note on ph_note (note);',
  ],
  ['fill_undecided', `${fillIn("status in ('received', 'in_progress')")}\n`],
  ['fill_decided', `${fillIn("status in ('accepted', 'rejected')")}\n`],
] as const;

function fillIn(batch: string): string {
  return `update ph_application set newer = stage where newer is null and ${batch};`;
}

/**
 * Returns invented migrations, numbered after those of this release.
 * @param oldestCompatible - the number of the last migration of the oldest release that may still run on the result.
 *   Default: this release's.
 */
export function makeMigrations(
  own: readonly Migration[],
  database: 'sqlite' | 'postgres',
  oldestCompatible = own.length,
): readonly Migration[] {
  return STEPS.map(([name, sql], index) => ({
    version: own.length + 1 + index,
    name,
    // SQLite has no concurrent builds.
    sql: database === 'sqlite' ? sql.replace('index concurrently', 'index') : sql,
    oldestCompatible,
    isConcurrent: database === 'postgres' && sql.includes('index concurrently'),
  }));
}

/** The name of the first migration before 0.1.0. */
export const OLD_NAME = 'initial';
