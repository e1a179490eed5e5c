/**
 * Builds the packages, or those that you name: `npm run build -- core sqlite`. `npm run build:js` leaves the declarations
 * as they are, for benchmarks, tests of built files and quick starts.
 */
import { parseArgs } from 'node:util';
import { buildPackages, foldersOf } from './build-packages.js';

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    options: { js: { type: 'boolean', default: false } },
    allowPositionals: true,
  });
  const started = performance.now();
  const onBuilt = (what: string) =>
    console.log(`${((performance.now() - started) / 1000).toFixed(1).padStart(5)} s  ${what}`);
  await buildPackages({ folders: foldersOf(positionals), hasTypes: !values.js, onBuilt });
}

await main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
