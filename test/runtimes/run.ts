/**
 * The partner API in Bun and Deno, by their own servers on PostgreSQL, as `docs/embed.md` says: the tarballs in an empty
 * project. `npm run test:fetch-runtimes`, or `npm run test:fetch-runtimes -- bun` for one. They are fetched from npm, and
 * gone afterwards.
 */
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startPostgres } from '@partner-hiring/test-support/postgres/server';
import { runCommand } from '../matrix/run-command.js';
import { type Counts, finish, report } from '../verifier/runtimes/report.js';
import type { TestResult } from '../verifier/suite/suite.js';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const PACKAGES = ['core', 'postgres', 'client'];

/** What starts a program of each, in exact versions: what the page says is true of those. */
const RUNTIMES: Readonly<Record<string, { readonly version: string; readonly args: readonly string[] }>> = {
  bun: { version: '1.4.5', args: ['run'] },
  deno: { version: '2.9.6', args: ['run', '--no-prompt', '--allow-all', '--node-modules-dir=manual'] },
};

async function packAll(folder: string): Promise<readonly string[]> {
  await mkdir(folder);
  await runCommand(ROOT, process.env, 'npm', ['run', '--silent', 'build:js']);
  const workspaces = PACKAGES.map((name) => `--workspace=packages/${name}`);
  // Without the scripts: they refuse a package that was built without its types.
  const args = ['pack', '--silent', '--ignore-scripts', '--pack-destination', folder, ...workspaces];
  const packed = await runCommand(ROOT, process.env, 'npm', args, 'read');
  return packed.split('\n').map((file) => join(folder, file));
}

/** A project with that runtime, the tarballs, and the program. */
async function prepare(folder: string, runtime: string, tarballs: readonly string[]): Promise<void> {
  await mkdir(folder);
  const manifest = { private: true, type: 'module', allowScripts: { [runtime]: true } };
  await writeFile(join(folder, 'package.json'), JSON.stringify(manifest));
  const installed = [`${runtime}@${RUNTIMES[runtime]?.version}`, 'pg', ...tarballs];
  await runCommand(folder, process.env, 'npm', ['install', '--no-save', '--silent', ...installed]);
  await cp(join(ROOT, 'test/runtimes/program.mjs'), join(folder, 'program.mjs'));
}

async function play(folder: string, name: string): Promise<readonly TestResult[]> {
  const server = await startPostgres();
  try {
    const env = { ...process.env, DATABASE_URL: server.url };
    const args = [...(RUNTIMES[name]?.args ?? []), 'program.mjs'];
    const printed = await runCommand(folder, env, join(folder, 'node_modules/.bin', name), args, 'read');
    return JSON.parse(printed) as readonly TestResult[];
  } finally {
    await server.stop();
  }
}

const names = process.argv.length > 2 ? process.argv.slice(2) : Object.keys(RUNTIMES);
const counts: Counts = { numPassedTests: 0, numFailedTests: 0 };
const scratch = await mkdtemp(join(tmpdir(), 'partner-hiring-runtimes-'));
try {
  const tarballs = await packAll(join(scratch, 'tarballs'));
  for (const name of names) {
    if (RUNTIMES[name] === undefined)
      throw new Error(`There is no ${name}; there are ${Object.keys(RUNTIMES).join(', ')}.`);
    const folder = join(scratch, name);
    await prepare(folder, name, tarballs);
    report(`${name} ${RUNTIMES[name].version}`, await play(folder, name), counts);
  }
  finish(counts, undefined);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
} finally {
  await rm(scratch, { recursive: true, force: true });
}
