/**
 * Builds the packages, or those that you name: `npm run build -- core sqlite`. `npm run build:js` leaves the declarations
 * as they are, for benchmarks, tests of built files and quick starts.
 */
import { parseArgs } from 'node:util';
import { buildPackages, foldersOf } from './build-packages.js';
import { createProgress } from './progress.js';

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    options: { js: { type: 'boolean', default: false } },
    allowPositionals: true,
  });
  await buildPackages({ folders: foldersOf(positionals), hasTypes: !values.js, onBuilt: createProgress() });
}

await main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
