/**
 * Packs an older release, the newest tag unless a ref is given, and runs it on a schema that this checkout has migrated, with
 * made migrations that name the older release as compatible: `npm run test:rollback -- <ref>`.
 */
import { randomBytes } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { makeMigrations } from '@partner-hiring/test-support/made-migrations';
import { startPostgres } from '@partner-hiring/test-support/postgres/server';
import { Client } from 'pg';
import { migrateTo } from '../../../packages/postgres/src/migrate-postgres.js';
import { postgresMigrations } from '../../../packages/postgres/src/migrations.js';
import { migrateFileTo } from '../../../packages/sqlite/src/migrate-sqlite.js';
import { sqliteMigrations } from '../../../packages/sqlite/src/migrations.js';
import { inScratch } from '../matrix/in-scratch.js';
import { runCommand } from '../matrix/run-command.js';
import { readManifest, root } from '../packages/manifest.js';

const { env } = process;
const require = createRequire(import.meta.url);
const PACKAGES = ['core', 'sqlite', 'postgres'] as const;

/** Lays out the older release, built with the libraries of this checkout, and packs it. */
async function packRelease(ref: string, scratch: string): Promise<readonly string[]> {
  const checkout = join(scratch, 'release');
  const tarballs = join(scratch, 'tarballs');
  for (const folder of [checkout, tarballs]) mkdirSync(folder);
  const archive = join(scratch, 'release.tar');
  await runCommand(root, env, 'git', ['archive', '--output', archive, ref]);
  await runCommand(checkout, env, 'tar', ['-xf', archive]);
  linkLibraries(checkout);
  await runCommand(checkout, env, 'npm', ['run', '--silent', 'build:js']);
  // Without scripts, which want the declarations: only JavaScript runs here.
  const pack = ['pack', '--silent', '--ignore-scripts', '--pack-destination', tarballs];
  await runCommand(checkout, env, 'npm', [...pack, ...PACKAGES.map(workspace)]);
  return readdirSync(tarballs).map((name) => join(tarballs, name));
}

const workspace = (name: string) => `--workspace=packages/${name}`;

/** The libraries are those of this checkout, but its own packages are the older release's. */
function linkLibraries(checkout: string): void {
  const libraries = join(checkout, 'node_modules');
  mkdirSync(join(libraries, '@partner-hiring'), { recursive: true });
  for (const name of readdirSync(join(root, 'node_modules'))) {
    if (name !== '@partner-hiring' && name !== '.cache') {
      symlinkSync(join(root, 'node_modules', name), join(libraries, name));
    }
  }
  for (const name of readdirSync(join(checkout, 'packages'))) {
    const folder = join(checkout, 'packages', name);
    symlinkSync(folder, join(checkout, 'node_modules', readManifest(folder).name));
    const own = join(root, 'packages', name, 'node_modules');
    if (existsSync(own)) symlinkSync(own, join(folder, 'node_modules'));
  }
}

/** An empty project with the tarballs, and the native driver that was built for this checkout. */
async function install(tarballs: readonly string[], scratch: string): Promise<string> {
  const project = join(scratch, 'project');
  mkdirSync(project);
  writeFileSync(
    join(project, 'package.json'),
    JSON.stringify({ name: 'host', private: true, type: 'module' }),
  );
  const sqlite = dirname(require.resolve('better-sqlite3/package.json'));
  const libraries = [`better-sqlite3@${readManifest(sqlite).version}`, 'pg@8'];
  const options = ['--silent', '--ignore-scripts', '--prefer-offline', '--no-audit', '--no-fund'];
  await runCommand(project, env, 'npm', ['install', ...options, ...tarballs, ...libraries]);
  const built = 'build/Release/better_sqlite3.node';
  cpSync(join(sqlite, built), join(project, 'node_modules/better-sqlite3', built));
  cpSync(join(root, 'test/tools/rollback/older-release.mjs'), join(project, 'older-release.mjs'));
  return project;
}

/** The last migration that the older release knows. */
async function latestOf(ref: string, storage: 'sqlite' | 'postgres'): Promise<number> {
  const folder = `packages/${storage}/migrations/`;
  const listed = await runCommand(root, env, 'git', ['ls-tree', '--name-only', ref, folder], 'read');
  return Math.max(...listed.split('\n').map((path) => Number(path.slice(folder.length, folder.length + 4))));
}

async function migrateSqlite(file: string, oldest: number): Promise<void> {
  const known = sqliteMigrations();
  await migrateFileTo([...known, ...makeMigrations(known, 'sqlite', oldest)], { file });
}

async function migrateDatabase(connectionString: string, schema: string, oldest: number): Promise<void> {
  const known = postgresMigrations();
  const next = [...known, ...makeMigrations(known, 'postgres', oldest)];
  await migrateTo(known, { connectionString, schema });
  await migrateTo(next, { connectionString, schema });
}

/** The tag of the newest release, or the newest commit while no release has a tag. */
async function findRelease(): Promise<string> {
  const tags = await runCommand(root, env, 'git', ['tag', '--list', 'v*', '--sort=-v:refname'], 'read');
  const [newest = ''] = tags.split('\n');
  if (newest !== '') return newest;
  console.log('No release has a tag yet. The newest commit stands in for the older release.');
  return 'HEAD';
}

const [ref = await findRelease()] = parseArgs({ allowPositionals: true }).positionals;
await inScratch(async (scratch) => {
  const project = await install(await packRelease(ref, scratch), scratch);
  const file = join(scratch, 'newer.sqlite');
  await migrateSqlite(file, await latestOf(ref, 'sqlite'));
  const postgres = await startPostgres();
  const schema = `rollback_${randomBytes(4).toString('hex')}`;
  try {
    await migrateDatabase(postgres.url, schema, await latestOf(ref, 'postgres'));
    await runCommand(project, env, process.execPath, ['older-release.mjs', file, postgres.url, schema]);
  } finally {
    const client = new Client({ connectionString: postgres.url });
    await client.connect();
    await client.query(`drop schema if exists ${schema} cascade`);
    await client.end();
    await postgres.stop();
  }
});
