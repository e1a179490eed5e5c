/**
 * The whole test command on another Node, with the newest of the libraries that the published ranges accept:
 * in a copy of this checkout that is gone afterwards.
 * `npm run test:node -- 24`, or `npm run test:node -- 24 --locked` with what the lock file names.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { copyCheckout } from './copy-checkout.js';
import { installNode } from './install-node.js';
import { installedVersion, takeNewest } from './newest-libraries.js';
import { runCommand } from './run-command.js';

/** What hosts bring themselves or get beside us, and what most depends on Node. */
const LIBRARIES = ['kysely', 'better-sqlite3', 'pg'];

async function run(nodeVersion: string, isLocked: boolean): Promise<void> {
  const scratch = await mkdtemp(join(tmpdir(), 'partner-hiring-matrix-'));
  try {
    const env = await installNode(nodeVersion, join(scratch, 'node'));
    const copy = await copyCheckout(join(scratch, 'checkout'));
    if (!isLocked) await takeNewest(copy, LIBRARIES, env);
    await runCommand(copy, env, 'npm', isLocked ? ['ci'] : ['install']);

    console.log(`\nNode ${await runCommand(copy, env, 'node', ['--version'], 'read')}`);
    for (const name of LIBRARIES) console.log(`${name} ${installedVersion(copy, name)}`);
    await runCommand(copy, env, 'npm', ['run', 'typecheck']);
    await runCommand(copy, env, 'npm', ['test']);
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

/** Ctrl-C reaches the command that runs as well; once that has ended, the copy is removed. */
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => {});

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { locked: { type: 'boolean', default: false } },
});
const [nodeVersion, ...rest] = positionals;
if (nodeVersion === undefined || !/^\d+(\.\d+){0,2}$/.test(nodeVersion) || rest.length > 0) {
  console.error('Name a version of Node: npm run test:node -- 24');
  process.exit(2);
}
try {
  await run(nodeVersion, values.locked);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
