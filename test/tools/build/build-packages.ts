import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { availableParallelism, tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { publishedPackages, root } from '../packages/manifest.js';
import { bundleDeclarations, configFileOf } from './bundle-declarations.js';
import { collectLicenses } from './collect-licenses.js';

const require = createRequire(import.meta.url);
const TSC = join(dirname(require.resolve('typescript/package.json')), 'bin/tsc');
const TSUP = join(dirname(require.resolve('tsup/package.json')), 'dist/cli-default.js');

/** What to build. */
export interface BuildOptions {
  /** The folders of the packages. */
  readonly folders: readonly string[];
  /** Whether to write declarations too. Otherwise those of an earlier build stay. */
  readonly hasTypes: boolean;
  /** Called after each package with what was built. */
  readonly onBuilt: (what: string) => void;
}

/**
 * Returns the folders of the published packages with these names, or of all of them.
 * @throws Error with the names of all packages if one does not exist.
 */
export function foldersOf(names: readonly string[]): readonly string[] {
  const folders = publishedPackages();
  const known = folders.map((folder) => basename(folder));
  const unknown = names.find((name) => !known.includes(name));
  if (unknown !== undefined) {
    throw new Error(`There is no package "${unknown}". The packages are: ${known.join(', ')}.`);
  }
  return names.length === 0 ? folders : folders.filter((folder) => names.includes(basename(folder)));
}

/**
 * Builds packages: JavaScript with tsup, one process for each package, and declarations with one run of the compiler.
 * @throws Error with the output of the program that fails. Waits for the others first.
 */
export async function buildPackages({ folders, hasTypes, onBuilt }: BuildOptions): Promise<void> {
  const builds = folders.map((folder) => async () => {
    await run(folder, TSUP, '--silent', '--config', configFileOf(folder));
    await collectLicenses(folder);
    onBuilt(`${basename(folder)}: JavaScript`);
  });
  const declarations = async () => {
    await buildDeclarations(folders);
    onBuilt('declarations');
  };
  // The longest first.
  await inParallel(hasTypes ? [declarations, ...builds] : builds);
}

/** Runs the tasks, as many at once as there are cores. @throws the first error, after the tasks under way. */
export async function inParallel(tasks: readonly (() => Promise<void>)[]): Promise<void> {
  const waiting = [...tasks];
  const runNext = async () => {
    for (let task = waiting.shift(); task !== undefined; task = waiting.shift()) await task();
  };
  const ends = await Promise.allSettled(Array.from({ length: availableParallelism() }, runNext));
  const failed = ends.find((end) => end.status === 'rejected');
  if (failed !== undefined) throw failed.reason;
}

/** Checks the types of all packages, and writes the declarations of these. */
async function buildDeclarations(folders: readonly string[]): Promise<void> {
  const emitted = mkdtempSync(join(tmpdir(), 'partner-hiring-declarations-'));
  try {
    await run(root, TSC, '--project', join(root, 'test/tools/build/tsconfig.json'), '--outDir', emitted);
    writeFileSync(join(emitted, 'tsconfig.json'), JSON.stringify(BUNDLING));
    for (const folder of folders) await bundleDeclarations(folder, emitted);
  } finally {
    rmSync(emitted, { recursive: true, force: true });
  }
}

/** The compiler has checked the declarations already, so the bundler only parses them. */
const BUNDLING = {
  compilerOptions: { module: 'NodeNext', noResolve: true, noLib: true, types: [] },
  include: ['*/src/index.d.ts'],
};

/** Runs a program of Node. @throws Error with its output if it fails. */
async function run(cwd: string, program: string, ...args: readonly string[]): Promise<void> {
  await promisify(execFile)(process.execPath, [program, ...args], { cwd }).catch(
    ({ message, stdout, stderr }: { message: string; stdout: string; stderr: string }) => {
      throw new Error([message, stdout, stderr].filter((text) => text !== '').join('\n'));
    },
  );
}
