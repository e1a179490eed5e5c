import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { OperatorError } from '@partner-hiring/core';
import type { Instant } from '@partner-hiring/core/ports';

/** A numbered step of the schema, as plain SQL. */
export interface Migration {
  readonly version: number;
  readonly name: string;
  readonly sql: string;
  /**
   * The oldest migration whose release may run on a schema with this one; null if only releases that know this
   * migration may. The file says `-- oldest-compatible: 2` in its leading comment.
   */
  readonly oldestCompatible: number | null;
  /**
   * Whether it must run outside a transaction, because it builds or drops an index concurrently. The file says
   * `-- online: concurrently` in its leading comment.
   */
  readonly isConcurrent: boolean;
}

/** A migration as the database has recorded it. */
export type AppliedMigration = Pick<Migration, 'version' | 'name' | 'oldestCompatible'>;

/** What migrating needs of a database, inside one transaction that keeps all others out. */
export interface MigrationTarget {
  /** The migrations that were applied. Creates or extends the table that records them. */
  applied(): Promise<readonly AppliedMigration[]>;
  /** Runs a step and records it. */
  apply(migration: Migration, at: Instant): Promise<void>;
}

const FILE_NAME = /^(\d{4})_([a-z0-9_]+)\.sql$/;

/**
 * The migrations in a package's folder of `0001_name.sql` files, in their order.
 *
 * @throws OperatorError `MISCONFIGURED` if the folder is not known, or is not the package's. Where a bundler has moved
 *   the code, it would be that of the host, whose own migrations may lie in it.
 */
export function readMigrations(packageName: string, folder: URL | null): readonly Migration[] {
  if (folder === null || ownerOf(folder) !== packageName) {
    throw new OperatorError(
      'MISCONFIGURED',
      `The migrations of ${packageName} do not lie beside its code. Tell your bundler to leave the package where it ` +
        `is installed, e.g. with \`--external:${packageName}\` of esbuild, and install it beside the bundle.`,
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

/**
 * Reads what a migration says of itself in its leading comment.
 *
 * @throws Error if it says something that cannot be meant. A release with such a file must not get out.
 */
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

/** The name of the package in which the folder lies, or null if it lies in none. */
function ownerOf(folder: URL): unknown {
  const manifest = new URL('../package.json', folder);
  if (!existsSync(manifest)) return null;
  return (JSON.parse(readFileSync(manifest, 'utf8')) as { readonly name?: unknown }).name;
}

/**
 * Returns the migrations that are not applied yet, in their order.
 *
 * @throws OperatorError `MISCONFIGURED` if the database has a migration of a newer release which does not name this
 *   release as compatible, or which was applied although an earlier one was not.
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
      `The database has migration ${unknown.version} (${unknown.name}) of a newer release, but lacks migration ` +
        `${first.version} (${first.name}). Run the migrations of the newer release.`,
    );
  }
  return missing;
}

/** An older release may run on a newer schema only if each migration that it does not know allows it. */
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

/**
 * Brings a database up to date. Migrations only ever go forward; one that is applied is never run again.
 *
 * @throws OperatorError `MISCONFIGURED` as {@link missingMigrations} does.
 */
export async function migrate(
  target: MigrationTarget,
  migrations: readonly Migration[],
  at: Instant,
): Promise<void> {
  const missing = missingMigrations(await target.applied(), migrations);
  for (const migration of missing) await target.apply(migration, at);
}
