/**
 * Runs all tests on another Node, with the newest libraries in the published ranges, in a temporary copy of this
 * checkout.
 * `npm run test:node -- 24`, or `npm run test:node -- 24 --locked` with the locked versions.
 */
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { copyCheckout } from './copy-checkout.js';
import { inScratch } from './in-scratch.js';
import { installNode } from './install-node.js';
import { installedVersion, takeNewest } from './newest-libraries.js';
import { readVersion } from './read-version.js';
import { runCommand } from './run-command.js';

/** Peer libraries, and those that depend most on Node. */
const LIBRARIES = ['kysely', 'better-sqlite3', 'pg'];

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { locked: { type: 'boolean', default: false } },
});
const nodeVersion = readVersion(positionals, 'Node: npm run test:node -- 24');
await inScratch(async (scratch) => {
  const env = await installNode(nodeVersion, join(scratch, 'node'));
  const copy = await copyCheckout(join(scratch, 'checkout'));
  if (!values.locked) await takeNewest(copy, LIBRARIES, env);
  await runCommand(copy, env, 'npm', values.locked ? ['ci'] : ['install']);

  console.log(`\nNode ${await runCommand(copy, env, 'node', ['--version'], 'read')}`);
  for (const name of LIBRARIES) console.log(`${name} ${installedVersion(copy, name)}`);
  await runCommand(copy, env, 'npm', ['run', 'typecheck']);
  await runCommand(copy, env, 'npx', ['vitest', 'run']);
});
