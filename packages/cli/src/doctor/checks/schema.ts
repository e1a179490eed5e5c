import { onBoth, onPostgres } from '../check.js';
import { loadPostgres, loadSqlite } from '../database/load-packages.js';
import type { DoctorDatabase } from '../database/open-database.js';
import { compareTables, type Difference, describeDifference } from '../manifest/compare-tables.js';
import postgresManifest from '../manifest/postgres.json' with { type: 'json' };
import { readPostgresTables } from '../manifest/read-postgres.js';
import { readSqliteTables } from '../manifest/read-sqlite.js';
import { repairOnPostgres, repairOnSqlite } from '../manifest/repair.js';
import type { ManifestTables, SchemaManifest } from '../manifest/schema-manifest.js';
import sqliteManifest from '../manifest/sqlite.json' with { type: 'json' };
import { type Finding, failed, ok, skipped, warning } from '../report.js';
import { plural } from './words.js';

/** The manifests that this release ships. */
export const MANIFESTS: Readonly<Record<DoctorDatabase['kind'], SchemaManifest>> = {
  postgres: postgresManifest,
  sqlite: sqliteManifest,
};

const MIGRATE = 'run `partner-hiring migrate`.';

/** Are there tables of the library at all? */
export const TABLES = onBoth('tables', [], async (database) => {
  if (database.kind === 'sqlite') {
    const found = await database.rows("select 1 from sqlite_schema where name = 'ph_schema_migration'");
    return found.length > 0
      ? ok('The file has the tables of the library.')
      : failed('The file has no tables of the library.', `Check the path. To create the tables: ${MIGRATE}`);
  }
  const { rows, schema } = database;
  const schemas = await rows<{ name: string }>(
    `select n.nspname::text as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where c.relname = 'ph_schema_migration' order by n.nspname <> $1, 1 limit 5`,
    [schema],
  );
  if (schemas.some(({ name }) => name === schema))
    return ok(`The schema ${schema} has the tables of the library.`);
  const finding = `The schema ${schema} has no tables of the library.`;
  if (schemas.length === 0) return failed(finding, `To create them: ${MIGRATE}`);
  return failed(
    `${finding} They are in ${schemas.map(({ name }) => name).join(', ')}.`,
    `Pass the name of the schema, as your storage does: \`--schema\`. To create new tables: ${MIGRATE}`,
  );
});

interface Applied {
  readonly version: number;
  readonly name: string;
  readonly oldest_compatible?: number | null;
}

/** Does this release fit the tables? */
export const SCHEMA_VERSION = onBoth('schema-version', ['tables', 'rights'], async (database) => {
  const { rows, prefix } = database;
  const applied = await rows<Applied>(`select * from ${prefix}ph_schema_migration order by version`);
  const known = await listMigrations(database.kind);
  if (
    applied.some((each) => known.some(({ version, name }) => version === each.version && name !== each.name))
  ) {
    return database.kind === 'sqlite'
      ? failed('This file was made before 0.1.0.', `Delete it and start again: ${database.file}`)
      : failed('This schema was made before 0.1.0.', `Drop it and start again: ${database.schema}`);
  }
  const missing = known.filter(({ version }) => !applied.some((each) => each.version === version));
  const newer = applied.filter(({ version }) => !known.some((each) => each.version === version));
  const latest = known.at(-1)?.version ?? 0;
  const refusing = newer.find(({ oldest_compatible: oldest }) => oldest == null || oldest > latest);
  if (refusing !== undefined) {
    return failed(
      `A newer release has migrated the tables: migration ${refusing.version} (${refusing.name}). This release, which ` +
        `knows migrations up to ${latest}, may not run on them.`,
      `Upgrade the packages to a release that knows migration ${refusing.oldest_compatible ?? refusing.version}.`,
    );
  }
  const [first] = missing;
  if (first !== undefined) {
    return failed(
      `The tables lack ${plural(missing.length, 'migration', 'migrations')} of this release, from ${first.version} (${first.name}) on.`,
      'Run `partner-hiring migrate` before you start this release. `--dry-run` shows the plan, `--sql` prints the SQL.',
    );
  }
  const [ahead] = newer;
  if (ahead !== undefined) {
    return warning(
      `A newer release has migrated the tables: migration ${ahead.version} (${ahead.name}). This release may run on them.`,
      'Upgrade the packages of this process soon.',
    );
  }
  return ok(`The tables are those of this release: migration ${latest}.`);
});

async function listMigrations(kind: DoctorDatabase['kind']) {
  if (kind === 'sqlite') return (await loadSqlite()).listSqliteMigrations();
  return (await loadPostgres()).listPostgresMigrations();
}

/** Are all tables, columns, constraints and indexes as the migrations created them? */
export const SCHEMA_DRIFT = onBoth('schema-drift', ['schema-version'], async (database) => {
  const manifest = MANIFESTS[database.kind];
  const [newest] = await database.rows<{ version: number }>(
    `select max(version) as version from ${database.prefix}ph_schema_migration`,
  );
  if (newest?.version !== manifest.version) {
    return skipped(
      `The tables are of migration ${newest?.version ?? 0}; this release knows how they look after migration ${manifest.version}.`,
    );
  }
  return describeDrift(compareTables(manifest.tables, await readTables(database)), database);
});

/** Reads the tables of the library, as a manifest has them. */
export function readTables(database: DoctorDatabase): Promise<ManifestTables> {
  return database.kind === 'sqlite'
    ? readSqliteTables(database)
    : readPostgresTables(database, database.schema);
}

const MOST_SHOWN = 10;

function describeDrift(differences: readonly Difference[], database: DoctorDatabase): Finding {
  if (differences.length === 0)
    return ok('Tables, columns, constraints and indexes are as the migrations created them.');
  const shown = differences.slice(0, MOST_SHOWN);
  const rest = differences.length - shown.length;
  const more = rest === 0 ? '' : `; and ${rest} more`;
  const finding = `The schema was changed: ${shown.map(describeDifference).join('; ')}${more}.`;
  const fixes = shown.map((difference) => {
    const repair =
      database.kind === 'sqlite' ? repairOnSqlite(difference) : repairOnPostgres(difference, database.prefix);
    const way = difference.kind === 'extra' ? 'remove it if nobody needs it' : 'restore it from a backup';
    return repair ?? `-- ${describeDifference(difference)}: ${way}.`;
  });
  const fix = `${INTENDED}\n${fixes.join('\n')}`;
  return differences.every(({ isHarmless }) => isHarmless) ? warning(finding, fix) : failed(finding, fix);
}

const INTENDED = 'If the change was not intended, run:';

/** Did a failed concurrent build leave an index that no query uses? */
export const INVALID_INDEXES = onPostgres('invalid-indexes', ['tables'], async ({ rows, schema, prefix }) => {
  const found = await rows<{ name: string; building: number }>(
    `select i.relname::text as name,
       exists (select 1 from pg_stat_progress_create_index p where p.index_relid = i.oid)::int as building
     from pg_index x join pg_class i on i.oid = x.indexrelid
       join pg_class t on t.oid = x.indrelid join pg_namespace n on n.oid = t.relnamespace
     where n.nspname = $1 and pg_catalog.starts_with(t.relname::text, 'ph_') and not (x.indisvalid and x.indisready)
     order by 1`,
    [schema],
  );
  const broken = found.filter(({ building }) => building === 0);
  if (broken.length > 0) {
    const fix = broken.map(({ name }) =>
      /_cc(?:new|old)\d*$/.test(name)
        ? `drop index concurrently ${prefix}"${name}";`
        : `reindex index concurrently ${prefix}"${name}";`,
    );
    return failed(
      `${plural(broken.length, 'index is', 'indexes are')} invalid, because a concurrent build failed: ${broken.map(({ name }) => name).join(', ')}. ` +
        'Queries do not use them, but each write updates them.',
      fix.join('\n'),
    );
  }
  if (found.length > 0) return warning('An index is being built.', 'Wait until it is built.');
  return ok('All indexes are valid.');
});

/** Did a migration stop before its end? */
export const MIGRATION_LEASE = onPostgres(
  'migration-lease',
  ['tables', 'rights'],
  async ({ rows, prefix }, { storageNow }) => {
    const [exists] = await rows<{ is_there: number }>(
      'select (pg_catalog.to_regclass($1) is not null)::int as is_there',
      [`${prefix}ph_migration_lease`],
    );
    if (exists?.is_there !== 1) return ok('No migration is under way.');
    const [lease] = await rows<{ expires_at: number }>(`select expires_at from ${prefix}ph_migration_lease`);
    if (lease === undefined) return ok('No migration is under way.');
    if (lease.expires_at > (await storageNow())) {
      return warning('A migration is under way.', 'Wait until it has ended.');
    }
    return failed(
      'A migration has stopped before its end: its lease has expired.',
      `To finish it: ${MIGRATE} If \`schema-version\` is ok, only the lease is left: \`delete from ${prefix}ph_migration_lease\`.`,
    );
  },
);
