/**
 * Runs the partner API in Bun and Deno on PostgreSQL, like `docs/embed.md`, from the tarballs in a new project.
 * `npm run test:fetch-runtimes`, or `npm run test:fetch-runtimes -- bun` for one. Installs them from npm temporarily.
 */
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startPostgres } from '@partner-hiring/test-support/postgres/server';
import { type Counts, finish, report } from '../../verifier/runtimes/report.js';
import type { TestResult } from '../../verifier/suite/suite.js';
import { runCommand } from '../matrix/run-command.js';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const PACKAGES = ['core', 'postgres', 'client'];

/** The start commands with exact versions, as in the docs. */
const RUNTIMES: Readonly<Record<string, { readonly version: string; readonly args: readonly string[] }>> = {
  bun: { version: '1.4.5', args: ['run'] },
  deno: { version: '2.9.6', args: ['run', '--no-prompt', '--allow-all', '--node-modules-dir=manual'] },
};

async function packAll(folder: string): Promise<readonly string[]> {
  await mkdir(folder);
  await runCommand(ROOT, process.env, 'npm', ['run', '--silent', 'build:js']);
  const workspaces = PACKAGES.map((name) => `--workspace=packages/${name}`);
  // Without scripts, which reject a build without types.
  const args = ['pack', '--silent', '--ignore-scripts', '--pack-destination', folder, ...workspaces];
  const packed = await runCommand(ROOT, process.env, 'npm', args, 'read');
  return packed.split('\n').map((file) => join(folder, file));
}

/** Creates a project with the runtime, the tarballs and the program. */
async function prepare(folder: string, runtime: string, tarballs: readonly string[]): Promise<void> {
  await mkdir(folder);
  const manifest = { private: true, type: 'module', allowScripts: { [runtime]: true } };
  await writeFile(join(folder, 'package.json'), JSON.stringify(manifest));
  const installed = [`${runtime}@${RUNTIMES[runtime]?.version}`, 'pg', ...tarballs];
  await runCommand(folder, process.env, 'npm', ['install', '--no-save', '--silent', ...installed]);
  await cp(join(ROOT, 'test/tools/runtimes/program.mjs'), join(folder, 'program.mjs'));
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
      throw new Error(`Unknown runtime ${name}. Use one of ${Object.keys(RUNTIMES).join(', ')}.`);
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
