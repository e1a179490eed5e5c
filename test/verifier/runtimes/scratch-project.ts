import { cp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { runCommand } from '../../matrix/run-command.js';
import { PACKAGE } from '../build-package.js';
import type { PackageUnderTest } from './bundle-suite.js';

const NAME = '@partner-hiring/webhook-verifier';

/** What is run: what a runtime takes by itself, and each build whether it takes it or not. */
export const BUILDS: Readonly<Record<string, PackageUnderTest>> = {
  'by the name of the package': { index: NAME, fetch: `${NAME}/fetch` },
  'dist/portable': pathsIn('portable'),
  'dist/node': pathsIn('node'),
};

/** From a program in the root of the project. */
function pathsIn(build: string): PackageUnderTest {
  const folder = `./node_modules/${NAME}/dist/${build}`;
  return { index: `${folder}/index.js`, fetch: `${folder}/fetch/index.js` };
}

/** A project with those packages in exactly those versions, and the verifier as it was built. */
export async function prepare(folder: string, packages: Readonly<Record<string, string>>): Promise<void> {
  const specs = Object.entries(packages).map(([name, version]) => `${name}@${version}`);
  // Their install scripts put the binaries of this platform in place; npm 12 asks to be told that they may.
  const allowScripts = Object.fromEntries(['deno', 'bun', 'workerd'].map((name) => [name, true]));
  await writeFile(
    join(folder, 'package.json'),
    JSON.stringify({ private: true, type: 'module', allowScripts }),
  );
  await runCommand(folder, process.env, 'npm', ['install', '--no-save', '--silent', ...specs]);
  const installed = join(folder, 'node_modules', NAME);
  for (const path of ['package.json', 'dist']) {
    await cp(join(PACKAGE, path), join(installed, path), { recursive: true });
  }
}
