import { type Migration, missingMigrations, type StorageOptionNames } from '@partner-hiring/storage-kysely';
import { checkFile } from './connections.js';
import { checkSqliteOptions, readIfThere } from './migrate-sqlite.js';
import { appliedMigrations, CREATE_MIGRATION_TABLE, sqliteMigrations } from './migrations.js';

/** The options of {@link sqliteMigrationSql}. */
export interface SqliteMigrationSqlOptions {
  /** The path of the database file. If the file does not exist, the script creates all tables. */
  readonly file: string;
}

const OPTIONS: StorageOptionNames<SqliteMigrationSqlOptions> = { file: true };

/**
 * Returns the missing migrations of a file as one SQL script, in one transaction. Run it with a client that
 * stops at the first error, such as `sqlite3 -bail`. The script has no statements if no migration is missing.
 * @example
 * ```ts
 * await writeFile('partner-hiring.sql', sqliteMigrationSql({ file: 'partner-hiring.sqlite' }));
 * ```
 * @throws OperatorError `MISCONFIGURED` for an unknown option, or if the file was made before 0.1.0, or a newer,
 *   incompatible release has migrated it.
 * @throws StorageUnavailable if the file cannot be read.
 */
export function sqliteMigrationSql(options: SqliteMigrationSqlOptions): string {
  checkSqliteOptions('sqliteMigrationSql', options, OPTIONS);
  checkFile(options.file);
  return writeMigrationSql(sqliteMigrations(), options);
}

export function writeMigrationSql(
  migrations: readonly Migration[],
  options: SqliteMigrationSqlOptions,
): string {
  const file = options.file.trim();
  return readIfThere(file, (handle) => {
    const applied = handle === null ? [] : appliedMigrations(handle);
    const missing = missingMigrations(applied, migrations, { file });
    if (missing.length === 0) return NOTHING;
    const script = [
      HEAD,
      'begin immediate;',
      `${CREATE_MIGRATION_TABLE};`,
      ...missing.flatMap((step) => [step.sql.trimEnd(), recordOf(step)]),
      'commit;',
    ];
    return `${script.join('\n\n')}\n`;
  });
}

const NOTHING = '-- No migration is missing.\n';

const HEAD = '-- Run this with a client that stops at the first error: sqlite3 -bail FILE < SCRIPT';

function recordOf({ version, name, oldestCompatible }: Migration): string {
  return (
    'insert into ph_schema_migration (version, name, applied_at, oldest_compatible) values ' +
    `(${version}, '${name}', cast(strftime('%s', 'now') as integer) * 1000, ${oldestCompatible ?? 'null'});`
  );
}
