import { createHash } from 'node:crypto';
import { type Dirent, existsSync, readdirSync, readFileSync } from 'node:fs';
import type { Instant } from '@partner-hiring/core/ports';
import { storageMisconfiguration } from './misconfiguration.js';

export interface Migration {
  readonly version: number;
  readonly name: string;
  readonly sql: string;
  /**
   * The oldest migration that a release must know to run on this schema. A comment such as
   * `-- oldest-compatible: 2` sets it. Null if no older release can.
   */
  readonly oldestCompatible: number | null;
  /**
   * Whether the migration must run outside a transaction. The comment `-- online: concurrently` at the top of
   * the file sets it.
   */
  readonly isConcurrent: boolean;
}

export type AppliedMigration = Pick<Migration, 'version' | 'name' | 'oldestCompatible'>;

/** Where the tables are: the path of a file, or a schema as SQL writes it. */
export type MigrationPlace = { readonly file: string } | { readonly schema: string };

/** A database that is locked against other migrations. */
export interface MigrationTarget {
  readonly place: MigrationPlace;
  /** Returns the applied migrations. Creates their table if it is missing. */
  applied(): Promise<readonly AppliedMigration[]>;
  apply(migration: Migration, at: Instant): Promise<void>;
}

/** A row of the table of migrations. Tables that were made before 0.1.0 may lack the last column. */
export interface MigrationRow {
  readonly version: number;
  readonly name: string;
  readonly oldest_compatible?: number | null;
}

export function toAppliedMigration({ version, name, oldest_compatible }: MigrationRow): AppliedMigration {
  return { version, name, oldestCompatible: oldest_compatible ?? null };
}

const ENTRY_NAME = /^(\d{4})_([a-z0-9_]+?)(?:\.sql)?$/;

/**
 * Reads the migrations of a package in order: files that are named like `0002_name.sql`, and folders like `0001_name`, whose
 * files are the parts of one migration.
 * @throws OperatorError `MISCONFIGURED` if the folder does not belong to the package. A bundler may have
 *   moved the code into the host's package.
 */
export function readMigrations(packageName: string, folder: URL | null): readonly Migration[] {
  if (folder === null || ownerOf(folder) !== packageName) {
    throw storageMisconfiguration(
      `The migrations of ${packageName} are missing beside its code, because a bundler moved the code. ` +
        `Exclude the package from the bundle, e.g. with esbuild's \`--external:${packageName}\`, and install it beside the bundle.`,
    );
  }
  const entries = existsSync(folder) ? readdirSync(folder, { withFileTypes: true }) : [];
  if (entries.length === 0) throw storageMisconfiguration(notTraced(packageName));
  return entries
    .flatMap((entry) => {
      const [, version, name] = ENTRY_NAME.exec(entry.name) ?? [];
      if (version === undefined || name === undefined) return [];
      const sql = readSql(folder, entry);
      return [
        {
          version: Number(version),
          name: entry.isDirectory() ? `${name}_${fingerprintOf(sql)}` : name,
          sql,
          ...readHeader(entry.name, Number(version), sql),
        },
      ];
    })
    .sort((a, b) => a.version - b.version);
}

function readSql(folder: URL, entry: Dirent): string {
  if (!entry.isDirectory()) return readFileSync(new URL(entry.name, folder), 'utf8');
  const parts = new URL(`${entry.name}/`, folder);
  return readdirSync(parts)
    .filter((name) => name.endsWith('.sql'))
    .sort()
    .map((name) => readFileSync(new URL(name, parts), 'utf8'))
    .join('\n');
}

/**
 * Returns a hash of the statements without comments and spaces. A migration in a folder may be edited until it is released.
 * Its name ends in the hash, so that tables of an earlier edit are refused.
 */
function fingerprintOf(sql: string): string {
  const statements = sql.replace(/--.*$/gm, '').replace(/\s+/g, ' ').trim();
  return createHash('sha256').update(statements).digest('hex').slice(0, 8);
}

/** A tool that copies only the files that code imports, such as Next's standalone output, leaves the folder behind. */
function notTraced(packageName: string): string {
  return (
    `The folder \`migrations\` of ${packageName} is missing, because a tool copied only the code. In next.config, set ` +
    `outputFileTracingIncludes: { '/**': ['./node_modules/${packageName}/migrations/**'] }. With another tool, copy the whole package.`
  );
}

/** The comment lines before the first statement. */
const HEADER = /^(?:--.*\r?\n)*/;

/** Reads the comments that configure a migration. */
function readHeader(
  file: string,
  version: number,
  sql: string,
): Pick<Migration, 'oldestCompatible' | 'isConcurrent'> {
  const [header = ''] = HEADER.exec(sql) ?? [];
  const oldest = /^-- oldest-compatible: *(.*?)\s*$/m.exec(header)?.[1] ?? null;
  const online = /^-- online: *(.*?)\s*$/m.exec(header)?.[1] ?? null;
  if (oldest !== null && !(/^[1-9]\d*$/.test(oldest) && Number(oldest) < version)) {
    throw new Error(`${file}: \`oldest-compatible\` must be the number of an earlier migration.`);
  }
  if (online !== null && online !== 'concurrently') {
    throw new Error(`${file}: \`online\` must be \`concurrently\`.`);
  }
  return { oldestCompatible: oldest === null ? null : Number(oldest), isConcurrent: online !== null };
}

/** Returns the name of the package that has the folder, or null. */
function ownerOf(folder: URL): unknown {
  const manifest = new URL('../package.json', folder);
  if (!existsSync(manifest)) return null;
  return (JSON.parse(readFileSync(manifest, 'utf8')) as { readonly name?: unknown }).name;
}

/**
 * Returns the migrations to apply, in order.
 * @throws OperatorError `MISCONFIGURED` if the tables were made before 0.1.0, or a newer migration is incompatible or follows
 *   a missing one.
 */
export function missingMigrations(
  applied: readonly AppliedMigration[],
  migrations: readonly Migration[],
  place: MigrationPlace,
): readonly Migration[] {
  const isOld = applied.some(({ version, name }) =>
    migrations.some((known) => known.version === version && known.name !== name),
  );
  if (isOld) throw storageMisconfiguration(madeBefore(place));
  const latest = migrations.at(-1)?.version ?? 0;
  const newer = applied.filter(({ version }) => !migrations.some((known) => known.version === version));
  for (const migration of newer) assertCompatible(migration, latest);
  const missing = migrations.filter(({ version }) => !applied.some((each) => each.version === version));
  const [first] = missing;
  const [unknown] = newer;
  if (first !== undefined && unknown !== undefined) {
    throw storageMisconfiguration(
      `The database has migration ${unknown.version} (${unknown.name}) of a newer release, but lacks migration ${first.version} (${first.name}). ` +
        'Run the migrations of the newer release.',
    );
  }
  return missing;
}

function madeBefore(place: MigrationPlace): string {
  return 'file' in place
    ? `This file was made before 0.1.0. Delete it and start again: ${place.file}`
    : `This schema was made before 0.1.0. Drop it and start again: ${place.schema}`;
}

function assertCompatible({ version, name, oldestCompatible }: AppliedMigration, latest: number): void {
  if (oldestCompatible !== null && oldestCompatible <= latest) return;
  const allowed =
    oldestCompatible === null
      ? 'which names no older release as compatible'
      : `which needs a release that knows migration ${oldestCompatible}`;
  throw storageMisconfiguration(
    `The database has migration ${version} (${name}), ${allowed}. This release knows migrations up to ${latest}. ` +
      `Upgrade the package to a release that knows migration ${oldestCompatible ?? version}.`,
  );
}

/** Applies the missing migrations in order. Throws like {@link missingMigrations}. */
export async function migrate(
  target: MigrationTarget,
  migrations: readonly Migration[],
  at: Instant,
): Promise<void> {
  const missing = missingMigrations(await target.applied(), migrations, target.place);
  for (const migration of missing) await target.apply(migration, at);
}
