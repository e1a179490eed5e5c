import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { bundleHost } from './bundle-host.js';
import { readManifest, root } from './manifest.js';
import { run } from './run.js';

const PROGRAMS = ['consumer.ts', 'consumer.test.ts', 'certify.ts'] as const;
const require = createRequire(import.meta.url);

/** An empty project in which the tarballs are installed. */
export interface Project {
  readonly name: string;
  readonly type: 'module' | 'commonjs';
  /** What its host brings besides: `name@version`. */
  readonly libraries: readonly string[];
  /** Options of its compiler, besides those of all. */
  readonly compilerOptions: readonly string[];
  /** Builds better-sqlite3 from its sources, where there is no prebuilt one to download: that takes a minute. */
  readonly buildsSqlite: boolean;
}

/** Makes it in that folder, with nothing but the tarballs and the consumer's programs, and runs those. */
export async function checkProject(
  folder: string,
  project: Project,
  tarballs: readonly string[],
  databaseUrl: string,
): Promise<void> {
  mkdirSync(folder);
  const { name, type } = project;
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name, private: true, type }));
  await install(folder, project, tarballs);
  for (const file of PROGRAMS) cpSync(join(root, 'test/packages', file), join(folder, file));
  await runPrograms(folder, project);
  await run(folder, process.execPath, await bundleHost(folder, type), databaseUrl);
}

/** What the workspace's own installation has asked the registry for is not asked again. */
async function install(folder: string, project: Project, tarballs: readonly string[]): Promise<void> {
  const workspaces = dirname(require.resolve('better-sqlite3/package.json'));
  const sqlite = project.buildsSqlite ? [] : [`better-sqlite3@${readManifest(workspaces).version}`];
  const libraries = [...project.libraries, ...sqlite, '@types/node@20'];
  const options = ['--silent', '--ignore-scripts', '--prefer-offline', '--no-audit'];
  await run(folder, 'npm', 'install', ...options, ...tarballs, ...libraries);
  if (project.buildsSqlite) {
    await run(folder, 'npm', 'rebuild', '--silent', 'better-sqlite3');
    return;
  }
  // The native driver is built once, for the workspace; these projects borrow the binary.
  const built = 'build/Release/better_sqlite3.node';
  cpSync(join(workspaces, built), join(folder, 'node_modules/better-sqlite3', built));
}

async function runPrograms(folder: string, { compilerOptions }: Project): Promise<void> {
  const strict = ['--strict', '--exactOptionalPropertyTypes', '--target', 'es2022', '--types', 'node'];
  const options = [...strict, ...compilerOptions, ...PROGRAMS];
  // Older, and stricter with declarations in CommonJS that import from what is an ES module alone.
  await run(folder, 'npx', 'tsc', '--module', 'node16', '--noEmit', ...options);
  await run(folder, 'npx', 'tsc', '--module', 'nodenext', ...options);
  for (const program of ['consumer.js', 'certify.js'])
    process.stdout.write(await run(folder, process.execPath, program));
  await run(folder, 'npx', 'vitest', 'run', 'consumer.test.ts', '--silent', '--reporter=dot');
}
