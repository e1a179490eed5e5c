import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { OperatorError } from '@partner-hiring/core';
import type { Instant } from '@partner-hiring/core/ports';

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

/** A database that is locked against other migrations. */
export interface MigrationTarget {
  /** Returns the applied migrations. Creates their table, or adds its newest column, if missing. */
  applied(): Promise<readonly AppliedMigration[]>;
  apply(migration: Migration, at: Instant): Promise<void>;
}

const FILE_NAME = /^(\d{4})_([a-z0-9_]+)\.sql$/;

/**
 * Reads the files of a package that are named like `0001_name.sql`, in order.
 * @throws OperatorError `MISCONFIGURED` if the folder does not belong to the package. A bundler may have
 *   moved the code into the host's package.
 */
export function readMigrations(packageName: string, folder: URL | null): readonly Migration[] {
  if (folder === null || ownerOf(folder) !== packageName) {
    throw new OperatorError(
      'MISCONFIGURED',
      `The migrations of ${packageName} are missing beside its code, because a bundler moved the code. ` +
        `Exclude the package from the bundle, e.g. with esbuild's \`--external:${packageName}\`, and install it beside the bundle.`,
    );
  }
  return readdirSync(folder)
    .flatMap((file) => {
      const [, version, name] = FILE_NAME.exec(file) ?? [];
      if (version === undefined || name === undefined) return [];
      const sql = readFileSync(new URL(file, folder), 'utf8');
      return [{ version: Number(version), name, sql, ...readHeader(file, Number(version), sql) }];
    })
    .sort((a, b) => a.version - b.version);
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
 * @throws OperatorError `MISCONFIGURED` if a newer migration is incompatible or follows a missing one.
 */
export function missingMigrations(
  applied: readonly AppliedMigration[],
  migrations: readonly Migration[],
): readonly Migration[] {
  const latest = migrations.at(-1)?.version ?? 0;
  const newer = applied.filter(({ version }) => !migrations.some((known) => known.version === version));
  for (const migration of newer) assertCompatible(migration, latest);
  const missing = migrations.filter(({ version }) => !applied.some((each) => each.version === version));
  const [first] = missing;
  const [unknown] = newer;
  if (first !== undefined && unknown !== undefined) {
    throw new OperatorError(
      'MISCONFIGURED',
      `The database has migration ${unknown.version} (${unknown.name}) of a newer release, but lacks migration ${first.version} (${first.name}). ` +
        'Run the migrations of the newer release.',
    );
  }
  return missing;
}

function assertCompatible({ version, name, oldestCompatible }: AppliedMigration, latest: number): void {
  if (oldestCompatible !== null && oldestCompatible <= latest) return;
  const allowed =
    oldestCompatible === null
      ? 'which names no older release as compatible'
      : `which needs a release that knows migration ${oldestCompatible}`;
  throw new OperatorError(
    'MISCONFIGURED',
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
  const missing = missingMigrations(await target.applied(), migrations);
  for (const migration of missing) await target.apply(migration, at);
}
