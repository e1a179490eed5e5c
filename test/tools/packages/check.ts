/**
 * Checks every published package. Its tarball has a README, the licence, those of the code of others that it contains and
 * a correct SBOM, and passes publint and arethetypeswrong. All tarballs install, type-check and run in an ESM and a CommonJS project, also with the oldest
 * supported libraries, and as the pages for partners install them from a host. `npm run check:packages -- --build-sqlite`
 * includes the oldest better-sqlite3 and runs all suites on it, and `--alone` installs each tarball alone with npm 10 and 11,
 * which must not warn.
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { startPostgres } from '@partner-hiring/test-support/postgres/server';
import { installProject } from '../projects/projects.js';
import { checkDeclarations } from './check-declarations.js';
import { checkLicenses } from './check-licenses.js';
import { checkSbom, readNpmSbom, type Sbom } from './check-sbom.js';
import { checkInstalledAlone } from './install-alone.js';
import { checkInstalledFromHost } from './install-from-host.js';
import { publishedPackages, readManifest, root } from './manifest.js';
import { oldestLibraries } from './oldest-libraries.js';
import { pack } from './pack.js';
import { checkProject, type Project } from './project.js';
import { run } from './run.js';
import type { Packed } from './scope-registry.js';

const NEWEST = ['@types/express@5'];

/** What `suites` of a project need. */
const OF_SUITES = ['vitest@4', 'ajv@8', 'ajv-formats@3'];

const LINT = join(root, 'test/tools/packages/tools/lint.mjs');

/** Nest and its platforms in a version. Nest 12 is ESM only. */
function nest(version: string): readonly string[] {
  const names = ['common', 'core', 'platform-express', 'platform-fastify'];
  return names.map((name) => `@nestjs/${name}@${version}`);
}

const PROJECTS: readonly Project[] = [
  {
    name: 'module',
    type: 'module',
    libraries: [...NEWEST, ...nest('12'), ...OF_SUITES],
    compilers: ['5.9', '7'],
    compilerOptions: [],
    runsCommandLine: true,
    suites: ['consumer', 'test-runners/vitest'],
    buildsSqlite: false,
  },
  {
    name: 'commonjs',
    type: 'commonjs',
    // It compiles the tests of the suites, and does not run them.
    libraries: [...NEWEST, ...nest('11'), ...OF_SUITES],
    compilers: ['6', '7'],
    compilerOptions: [],
    runsCommandLine: false,
    suites: [],
    buildsSqlite: false,
  },
];

/**
 * The oldest libraries and the oldest TypeScript of the README; before 5.7, it cannot parse the types of Fastify and pg.
 * Uses the workspace's better-sqlite3 by default, because the oldest must be compiled.
 */
function oldestProject(buildsSqlite: boolean): Project {
  const oldest = oldestLibraries(publishedPackages().map(readManifest));
  const platforms = nest(oldest.get('@nestjs/core') ?? '11').filter((name) => name.includes('/platform-'));
  const libraries = [...oldest]
    .filter(([name]) => buildsSqlite || name !== 'better-sqlite3')
    .map(([name, version]) => `${name}@${version}`);
  return {
    name: 'oldest',
    type: 'module',
    libraries: [...libraries, ...platforms, ...OF_SUITES, '@types/express@4'],
    compilers: ['5.0'],
    compilerOptions: ['--skipLibCheck'],
    runsCommandLine: buildsSqlite,
    suites: buildsSqlite ? ['consumer', 'test-runners/vitest'] : ['test-runners/vitest'],
    buildsSqlite,
  };
}

/** Checks that the build contains no machine paths. */
function checkPaths(folder: string): void {
  const dist = join(folder, 'dist');
  for (const name of readdirSync(dist, { recursive: true, encoding: 'utf8' })) {
    const file = join(dist, name);
    if (statSync(file).isFile() && readFileSync(file, 'utf8').includes(root)) {
      throw new Error(`${file} contains the path of the build folder.`);
    }
  }
}

/** How large a build may be without its source maps, in bytes. The console and the portal contain Hono and Pico, and no maps of them. */
const MOST_BYTES: ReadonlyMap<string, number> = new Map([['@partner-hiring/console', 1_750_000]]);

function checkSize(folder: string): void {
  const { name } = readManifest(folder);
  const dist = join(folder, 'dist');
  const files = readdirSync(dist, { recursive: true, encoding: 'utf8' }).filter(
    (file) => !file.endsWith('.map'),
  );
  const bytes = files.reduce((sum, file) => sum + statSync(join(dist, file)).size, 0);
  const most = MOST_BYTES.get(name) ?? Number.POSITIVE_INFINITY;
  if (bytes > most) throw new Error(`${name} has ${bytes} bytes, and may have ${most}.`);
}

async function checkPackage(folder: string, scratch: string, ofNpm: Sbom): Promise<Packed> {
  const tarball = await pack(folder, scratch);
  checkPaths(folder);
  checkSize(folder);
  checkDeclarations(folder);
  await checkSbom(folder, tarball, ofNpm);
  await checkLicenses(folder, tarball);
  await run(root, process.execPath, LINT, folder, tarball);
  const { name } = readManifest(folder);
  console.log(`ok  ${name}: SBOM and licences are complete, publint and arethetypeswrong are clean`);
  return { manifest: readManifest(folder), tarball };
}

/** Each needs a core and half a gigabyte. */
const AT_ONCE = 2;

/** Packs all packages. */
async function checkPackages(scratch: string): Promise<readonly Packed[]> {
  const ofNpm = await readNpmSbom();
  const waiting = [...publishedPackages()];
  const packed: Packed[] = [];
  const checkOneByOne = async () => {
    for (let folder = waiting.shift(); folder !== undefined; folder = waiting.shift()) {
      packed.push(await checkPackage(folder, scratch, ofNpm));
    }
  };
  await allEnded(Array.from({ length: AT_ONCE }, checkOneByOne));
  return packed;
}

/** Waits for all, even if one fails, before the folder is removed. */
async function allEnded(checks: readonly Promise<void>[]): Promise<void> {
  for (const check of await Promise.allSettled(checks)) {
    if (check.status === 'rejected') throw check.reason;
  }
}

async function checkProjects(scratch: string, tarballs: readonly string[]): Promise<void> {
  const postgres = await startPostgres();
  try {
    const checks = projects.map(async (project) => {
      await checkProject(join(scratch, project.name), project, tarballs, postgres.url);
      console.log(`ok  the tarballs install, type-check and run in an empty project: ${project.name}`);
    });
    await allEnded(checks);
  } finally {
    await postgres.stop();
  }
}

const OFF = { type: 'boolean', default: false } as const;
const { values } = parseArgs({ options: { 'build-sqlite': OFF, alone: OFF } });
const projects = [...PROJECTS, oldestProject(values['build-sqlite'])];
installProject('test/tools/packages/tools');
const scratch = mkdtempSync(join(tmpdir(), 'partner-hiring-packages-'));
try {
  const packed = await checkPackages(scratch);
  await checkInstalledFromHost(scratch, packed);
  if (values.alone) await checkInstalledAlone(scratch, packed);
  await checkProjects(
    scratch,
    packed.map(({ tarball }) => tarball),
  );
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
