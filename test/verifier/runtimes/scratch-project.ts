import { cp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { runCommand } from '../../tools/matrix/run-command.js';
import { PACKAGE } from '../build-package.js';
import type { PackageUnderTest } from './bundle-suite.js';

const NAME = '@partner-hiring/webhook-verifier';

/** The runtime's default build, and each build explicitly. */
export const BUILDS: Readonly<Record<string, PackageUnderTest>> = {
  'by the name of the package': { index: NAME, fetch: `${NAME}/fetch` },
  'dist/portable': pathsIn('portable'),
  'dist/node': pathsIn('node'),
};

/** Relative to the root of the project. */
function pathsIn(build: string): PackageUnderTest {
  const folder = `./node_modules/${NAME}/dist/${build}`;
  return { index: `${folder}/index.js`, fetch: `${folder}/fetch/index.js` };
}

/** Creates a project with these exact versions and the built verifier. */
export async function prepare(folder: string, packages: Readonly<Record<string, string>>): Promise<void> {
  const specs = Object.entries(packages).map(([name, version]) => `${name}@${version}`);
  // Their install scripts add the binaries; npm 12 needs permission to run them.
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
