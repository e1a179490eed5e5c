import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { bundleHost } from './bundle-host.js';
import { readManifest, root } from './manifest.js';
import { run, runWith } from './run.js';

const PROGRAMS = [
  'consumer.ts',
  'certify.ts',
  'command-line.ts',
  'listen.ts',
  'nest.ts',
  'test-runners/errors.ts',
  'test-runners/stories.ts',
  'test-runners/node.ts',
  'test-runners/vitest.test.mts',
] as const;
/** What Node runs in every project. */
const RUN_EVERYWHERE = ['consumer.js', 'certify.js', 'listen.js', 'nest.js'] as const;

/** Little output. The projects run side by side, so a test gets more time than in a project of its own. */
const VITEST = ['--silent', '--reporter=dot', '--testTimeout=60000', '--hookTimeout=60000'];

const require = createRequire(import.meta.url);

/** A project for the tarballs. */
export interface Project {
  readonly name: string;
  readonly type: 'module' | 'commonjs';
  /** Additional packages: `name@version`. */
  readonly libraries: readonly string[];
  /** The versions of TypeScript that compile the programs. The last one writes the JavaScript. */
  readonly compilers: readonly string[];
  /** Additional compiler options. */
  readonly compilerOptions: readonly string[];
  /** Whether to run the command line, which is the same in all projects. */
  readonly runsCommandLine: boolean;
  /** What Vitest runs. It loads the ES modules of the tarballs, also in a CommonJS project. */
  readonly suites: readonly ('consumer' | 'test-runners/vitest')[];
  /** Compiles better-sqlite3 if there is no prebuilt binary, which takes a minute. */
  readonly buildsSqlite: boolean;
}

/** Creates the project in a folder with the tarballs and the programs, and runs them. */
export async function checkProject(
  folder: string,
  project: Project,
  tarballs: readonly string[],
  databaseUrl: string,
): Promise<void> {
  mkdirSync(folder);
  const { name, type } = project;
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name, private: true, type }));
  const compilers = project.compilers.map((version) => `${compilerName(version)}@npm:typescript@${version}`);
  await install(folder, { ...project, libraries: [...project.libraries, ...compilers] }, tarballs);
  for (const file of PROGRAMS) cpSync(join(root, 'test/tools/packages', file), join(folder, file));
  if (project.suites.includes('consumer')) {
    // Beside each other as in the repository.
    for (const path of ['tools/packages/consumer.test.mts', 'conformance/suite'])
      cpSync(join(root, 'test', path), join(folder, path), { recursive: true });
  }
  await runPrograms(folder, project, databaseUrl);
  await run(folder, process.execPath, await bundleHost(folder, type), databaseUrl);
}

/** Installs the tarballs and libraries, with npm's cache of the workspace. */
export async function install(
  folder: string,
  project: Pick<Project, 'libraries' | 'buildsSqlite'>,
  tarballs: readonly string[],
): Promise<void> {
  const workspaces = dirname(require.resolve('better-sqlite3/package.json'));
  const sqlite = project.buildsSqlite ? [] : [`better-sqlite3@${readManifest(workspaces).version}`];
  const libraries = [...project.libraries, ...sqlite, '@types/node@20'];
  const options = ['--silent', '--ignore-scripts', '--prefer-offline', '--no-audit'];
  await run(folder, 'npm', 'install', ...options, ...tarballs, ...libraries);
  if (project.buildsSqlite) {
    await run(folder, 'npm', 'rebuild', '--silent', 'better-sqlite3');
    return;
  }
  // The projects share the workspace's native driver.
  const built = 'build/Release/better_sqlite3.node';
  cpSync(join(workspaces, built), join(folder, 'node_modules/better-sqlite3', built));
}

function compilerName(version: string): string {
  return `typescript-${version}`;
}

async function runPrograms(folder: string, project: Project, databaseUrl: string): Promise<void> {
  const strict = ['--strict', '--exactOptionalPropertyTypes', '--target', 'es2022', '--types', 'node'];
  const options = [...strict, ...project.compilerOptions, ...PROGRAMS];
  for (const version of project.compilers) {
    const compiler = join(folder, 'node_modules', compilerName(version), 'bin/tsc');
    // Older, and stricter about CommonJS declarations that import ESM-only packages.
    await run(folder, process.execPath, compiler, '--module', 'node16', '--noEmit', ...options);
    await run(folder, process.execPath, compiler, '--module', 'nodenext', ...options);
  }
  const programs = project.runsCommandLine ? [...RUN_EVERYWHERE, 'command-line.js'] : RUN_EVERYWHERE;
  for (const program of programs) process.stdout.write(await run(folder, process.execPath, program));
  const env = { DATABASE_URL: databaseUrl };
  await runWith(env, folder, process.execPath, '--test', 'test-runners/node.js');
  const suites = project.suites.map((name) => `${name}.test.mts`);
  if (suites.length > 0) await runWith(env, folder, 'npx', 'vitest', 'run', ...suites, ...VITEST);
}
