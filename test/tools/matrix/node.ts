/**
 * Runs all tests on other versions of Node, with the newest libraries in the published ranges, in temporary copies of this
 * checkout: `npm run test:node -- 24`. With `--locked`, it uses the locked versions. With `--majors`, it also uses the newest
 * versions of the packages that are held back for Node 20: `npm run test:node -- 22 24 --majors`.
 */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { copyCheckout } from './copy-checkout.js';
import { HELD_BACK } from './held-back.js';
import { inScratch } from './in-scratch.js';
import { installNode } from './install-node.js';
import { installedVersion, takeNewest, takeNewestMajors } from './newest-libraries.js';
import { readVersion } from './read-version.js';
import { runCommand } from './run-command.js';

/** Peer libraries. */
const LIBRARIES = ['better-sqlite3', 'pg'];

const OFF = { type: 'boolean', default: false } as const;
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { locked: OFF, majors: OFF },
});
const given = positionals.length === 0 ? [[]] : positionals.map((version) => [version]);
const versions = given.map((version) => readVersion(version, 'Node: npm run test:node -- 24'));

async function testOn(version: string, scratch: string): Promise<void> {
  const env = await installNode(version, join(scratch, 'node'));
  const copy = await copyCheckout(join(scratch, 'checkout'));
  const libraries = values.majors ? HELD_BACK : LIBRARIES;
  if (values.majors) {
    await takeNewestMajors(copy, HELD_BACK, env);
    rmSync(join(copy, 'package-lock.json'));
  } else if (!values.locked) {
    await takeNewest(copy, LIBRARIES, env);
  }
  // Peers of the newest versions may name older ones of each other.
  const install = values.majors ? ['install', '--force'] : ['install'];
  await runCommand(copy, env, 'npm', values.locked ? ['ci'] : install);

  console.log(`\nNode ${await runCommand(copy, env, 'node', ['--version'], 'read')}`);
  for (const name of libraries) console.log(`${name} ${installedVersion(copy, name)}`);
  await runCommand(copy, env, 'npm', ['run', 'typecheck']);
  await runCommand(copy, env, 'npx', ['vitest', 'run']);
}

for (const version of versions) await inScratch((scratch) => testOn(version, scratch));
