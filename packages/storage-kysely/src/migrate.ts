import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { OperatorError } from '@partner-hiring/core';
import type { Instant } from '@partner-hiring/core/ports';

/** A numbered step of the schema, as plain SQL. */
export interface Migration {
  readonly version: number;
  readonly name: string;
  readonly sql: string;
}

/** What migrating needs of a database, inside one transaction that keeps all others out. */
export interface MigrationTarget {
  /** The versions that were applied; makes the table that records them, if there is none. */
  appliedVersions(): Promise<readonly number[]>;
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
      return [{ version: Number(version), name, sql: readFileSync(new URL(file, folder), 'utf8') }];
    })
    .sort((a, b) => a.version - b.version);
}

/** The name of the package in which the folder lies, or null if it lies in none. */
function ownerOf(folder: URL): unknown {
  const manifest = new URL('../package.json', folder);
  if (!existsSync(manifest)) return null;
  return (JSON.parse(readFileSync(manifest, 'utf8')) as { readonly name?: unknown }).name;
}

/**
 * What is still to be applied of these migrations, in their order.
 *
 * @throws OperatorError `MISCONFIGURED` if the database is of a newer version of the package: its tables may
 *   mean something that this one does not know.
 */
export function missingMigrations(
  applied: readonly number[],
  migrations: readonly Migration[],
): readonly Migration[] {
  const known = new Set(migrations.map(({ version }) => version));
  const unknown = applied.find((version) => !known.has(version));
  if (unknown !== undefined) {
    throw new OperatorError(
      'MISCONFIGURED',
      `The database has migration ${unknown}, which this version of the package does not know. ` +
        'Upgrade the package to the one that the database was last used with, or a newer one.',
    );
  }
  return migrations.filter(({ version }) => !applied.includes(version));
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
  const missing = missingMigrations(await target.appliedVersions(), migrations);
  for (const migration of missing) await target.apply(migration, at);
}
