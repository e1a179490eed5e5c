/**
 * Builds all packages and packs them into a folder. Prints the command that installs those of a stack:
 * `npm run pack -- ../packages express postgres drizzle console cli`.
 */
import { mkdirSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import { pack } from '../packages/pack.js';
import { buildPackages, foldersOf, inParallel } from './build-packages.js';
import { installLine, resolveStack } from './install-line.js';
import { createProgress } from './progress.js';

const HELP = `Builds all packages, packs them into a folder, and prints the command that installs those of a stack.

Usage: npm run pack -- <folder> [<package>...], such as: npm run pack -- ../packages express postgres drizzle console cli`;

async function main([destination, ...words]: readonly string[]): Promise<void> {
  if (['--help', '-h'].some((flag) => flag === destination || words.includes(flag))) return console.log(HELP);
  if (destination === undefined || destination.startsWith('-')) {
    throw new Error('Name a folder and your stack: npm run pack -- ../packages express postgres');
  }
  const stack = resolveStack(words);
  // npm runs scripts in the root, but the path is that of the caller.
  const folder = resolve(process.env.INIT_CWD ?? '.', destination);
  mkdirSync(folder, { recursive: true });

  const folders = foldersOf([]);
  const tell = createProgress();
  await buildPackages({ folders, hasTypes: true, onBuilt: tell });
  await inParallel(
    folders.map((each) => async () => {
      await pack(each, folder);
      tell(`${basename(each)}: packed`);
    }),
  );
  console.log(`\n${folders.length} packages are in ${folder}.`);
  console.log(
    words.length === 0
      ? 'Name your stack to get the command that installs it, such as: express postgres drizzle console cli'
      : `In the folder of your project, run:\n\n${installLine(stack, folder)}`,
  );
}

await main(process.argv.slice(2)).catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
