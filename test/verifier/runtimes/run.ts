/**
 * Runs the verifier's suite in Deno, Bun and workerd (Cloudflare) on the built files:
 * `npm run test:runtimes`, or `npm run test:runtimes -- bun` for one. Installs them from npm and removes them
 * afterwards. `--outputFile=counts.json` writes how many passed.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { buildPackage } from '../build-package.js';
import { type Counts, finish, report } from './report.js';
import { RUNTIMES } from './runtimes.js';
import { BUILDS, prepare } from './scratch-project.js';

async function run(names: readonly string[], counts: Counts): Promise<void> {
  buildPackage();
  for (const name of names) {
    const runtime = RUNTIMES[name];
    if (runtime === undefined)
      throw new Error(`Unknown runtime ${name}. Use one of ${Object.keys(RUNTIMES).join(', ')}.`);
    const versions = Object.entries(runtime.packages).map((entry) => entry.join(' '));
    const folder = await mkdtemp(join(tmpdir(), 'partner-hiring-runtime-'));
    try {
      await prepare(folder, runtime.packages);
      for (const [build, subject] of Object.entries(BUILDS)) {
        const results = await runtime.run(folder, subject);
        report(`${name} (${versions.join(', ')}), ${build}`, results, counts);
      }
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { outputFile: { type: 'string' } },
});
const counts: Counts = { numPassedTests: 0, numFailedTests: 0 };
try {
  await run(positionals.length > 0 ? positionals : Object.keys(RUNTIMES), counts);
  finish(counts, values.outputFile);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
