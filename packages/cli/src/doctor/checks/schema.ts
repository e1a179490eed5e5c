import { loadPostgres, loadSqlite } from '../../connection/load-storage.js';
import { onBoth, onPostgres } from '../check.js';
import type { DoctorDatabase } from '../database/open-database.js';
import { type Finding, failed, ok, skippedCheck, warning } from '../report.js';
import {
  compareSchemas,
  type Difference,
  describeDifference,
  type SchemaObject,
} from '../schema/compare-schemas.js';
import { readPostgresObjects } from '../schema/read-postgres.js';
import { readSqliteObjects } from '../schema/read-sqlite.js';
import { plural } from './words.js';

/** Are the named schemas all schemas of the storage, in its order? The other checks look only at the named ones. */
export const SCHEMA_LIST = onPostgres('schema-list', ['schema-version'], async ({ reader }, { address }) => {
  if (address.kind !== 'postgres') throw new Error('Only PostgreSQL has schemas.');
  const { inspectPostgresSchemas } = await loadPostgres();
  const { state, finding, fix } = await inspectPostgresSchemas(reader, address.schemas);
  return { state, finding, fix };
});

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

/** Are all tables, columns, constraints, indexes and triggers as the migrations create them? */
export const SCHEMA = onBoth('schema', ['schema-version'], async (database) => {
  const [newest] = await database.rows<{ version: number }>(
    `select max(version) as version from ${database.prefix}ph_schema_migration`,
  );
  const latest = (await listMigrations(database.kind)).at(-1)?.version ?? 0;
  if (newest?.version !== latest) {
    return skippedCheck(
      `The tables are of migration ${newest?.version ?? 0}; this release knows how they look after migration ${latest}.`,
    );
  }
  const obstacle = await findObstacle(database);
  return obstacle ?? describeDrift(compareSchemas(...(await readBoth(database))));
});

/** Returns why no tables can be created to compare with, or null. */
async function findObstacle(database: DoctorDatabase): Promise<Finding | null> {
  if (database.kind === 'sqlite') return null;
  const [found] = await database.rows<{ standby: number; allowed: number; role: string; name: string }>(
    `select pg_catalog.pg_is_in_recovery()::int as standby, pg_catalog.quote_ident(current_user) as role,
       pg_catalog.has_database_privilege(pg_catalog.current_database(), 'temporary')::int as allowed,
       pg_catalog.quote_ident(pg_catalog.current_database()) as name`,
  );
  if (found?.standby === 1) {
    return skippedCheck(
      'Not compared, because a standby can create no tables.',
      'Run the doctor on the primary.',
    );
  }
  if (found === undefined || found.allowed === 1) return null;
  return skippedCheck(
    `Not compared, because the role ${found.role} may not create temporary tables.`,
    `grant temporary on database ${found.name} to ${found.role};\n` +
      'Or run `partner-hiring migrate --check` with the role that migrates, and the doctor with `--skip schema`.',
  );
}

/** Returns the objects of tables that were just created, and those of the database. */
async function readBoth(
  database: DoctorDatabase,
): Promise<readonly [expected: readonly SchemaObject[], found: readonly SchemaObject[]]> {
  if (database.kind === 'sqlite') {
    const { readNewTables, rows } = database.reader;
    return [readNewTables(readSqliteObjects), readSqliteObjects(rows)];
  }
  return [
    await database.reader.readNewTables(readPostgresObjects),
    await readPostgresObjects(database.reader.rows, database.schema),
  ];
}

const MOST_SHOWN = 10;

function describeDrift(differences: readonly Difference[]): Finding {
  if (differences.length === 0)
    return ok('Tables, columns, constraints, indexes and triggers are as the migrations create them.');
  const shown = differences.slice(0, MOST_SHOWN);
  const rest = differences.length - shown.length;
  const more = rest === 0 ? '' : `; and ${rest} more`;
  const finding = `The schema was changed: ${shown.map(describeDifference).join('; ')}${more}.`;
  return differences.every(({ isHarmless }) => isHarmless) ? warning(finding, UNDO) : failed(finding, UNDO);
}

const UNDO =
  'If the change was not intended, undo it: create what is missing as shown, drop what is not ours, or restore a backup.';

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
