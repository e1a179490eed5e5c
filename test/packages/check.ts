/**
 * Checks every published package as a stranger meets it: its tarball passes publint and arethetypeswrong, and
 * all tarballs together install, type-check and run in an empty ESM and an empty CommonJS project, the
 * conformance suites among them.
 */
import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';

const root = fileURLToPath(new URL('../../', import.meta.url));
const CONSUMERS = ['consumer.ts', 'consumer.test.ts', 'certify.ts'] as const;
const require = createRequire(import.meta.url);

interface Manifest {
  readonly name: string;
  readonly private?: boolean;
  readonly version: string;
}

function readManifest(folder: string): Manifest {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest;
}

function publishedPackages(): readonly string[] {
  return readdirSync(join(root, 'packages'))
    .map((name) => join(root, 'packages', name))
    .filter((folder) => readManifest(folder).private !== true);
}

/** What a command prints. @throws Error with all that it said, if it fails. */
async function run(cwd: string, command: string, ...args: readonly string[]): Promise<string> {
  const ended = promisify(execFile)(command, args, { cwd });
  ended.child.stdin?.end();
  return ended.then(
    ({ stdout }) => stdout,
    ({ message, stdout, stderr }) => {
      throw new Error([message, stdout, stderr].join('\n'));
    },
  );
}

async function pack(folder: string, destination: string): Promise<string> {
  const [packed] = JSON.parse(
    await run(folder, 'npm', 'pack', '--json', '--silent', '--pack-destination', destination),
  ) as [{ filename: string }];
  return join(destination, packed.filename);
}

async function lint(folder: string): Promise<void> {
  const { messages, pkg } = await publint({ pkgDir: folder, strict: true });
  if (messages.length === 0) return;
  throw new Error(messages.map((message) => formatMessage(message, pkg)).join('\n'));
}

async function checkTypes(tarball: string): Promise<void> {
  await run(root, join(root, 'node_modules/.bin/attw'), tarball, '--quiet');
}

/** An empty project of that module type with all tarballs, the consumer's programs, and nothing else. */
async function createProject(
  folder: string,
  type: 'module' | 'commonjs',
  tarballs: readonly string[],
): Promise<void> {
  mkdirSync(folder);
  writeFileSync(
    join(folder, 'package.json'),
    JSON.stringify({ name: `consumer-${type}`, private: true, type }),
  );
  // The native driver is built once, for the workspace; these projects borrow the binary. What the workspace's own
  // installation has asked the registry for is not asked again.
  await run(
    folder,
    'npm',
    'install',
    '--silent',
    '--ignore-scripts',
    '--prefer-offline',
    '--no-audit',
    ...tarballs,
    // The newest that our range takes, and an ES module alone.
    'kysely@0.29',
    'typescript@5.9',
    '@types/node@20',
    '@types/express@5',
  );
  const built = join(dirname(require.resolve('better-sqlite3/package.json')), 'build/Release');
  cpSync(built, join(folder, 'node_modules/better-sqlite3/build/Release'), { recursive: true });
  for (const file of CONSUMERS) cpSync(join(root, 'test/packages', file), join(folder, file));
}

async function checkProject(folder: string): Promise<void> {
  const options = ['--strict', '--exactOptionalPropertyTypes', '--target', 'es2022', '--types', 'node'];
  // Older, and stricter with declarations in CommonJS that import from what is an ES module alone.
  await run(folder, 'npx', 'tsc', ...options, '--module', 'node16', '--noEmit', ...CONSUMERS);
  await run(folder, 'npx', 'tsc', ...options, '--module', 'nodenext', ...CONSUMERS);
  for (const program of ['consumer.js', 'certify.js'])
    process.stdout.write(await run(folder, process.execPath, program));
  await run(folder, 'npx', 'vitest', 'run', 'consumer.test.ts', '--silent', '--reporter=dot');
}

async function checkPackage(folder: string, scratch: string): Promise<string> {
  const tarball = await pack(folder, scratch);
  await lint(folder);
  await checkTypes(tarball);
  console.log(`ok  ${readManifest(folder).name}: publint and arethetypeswrong are clean`);
  return tarball;
}

/** Two at a time: each takes a core, and half a gigabyte. */
const AT_ONCE = 2;

/** The tarballs of all. */
async function checkPackages(scratch: string): Promise<readonly string[]> {
  const waiting = [...publishedPackages()];
  const tarballs: string[] = [];
  const checkOneByOne = async () => {
    for (let folder = waiting.shift(); folder !== undefined; folder = waiting.shift()) {
      tarballs.push(await checkPackage(folder, scratch));
    }
  };
  await allEnded(Array.from({ length: AT_ONCE }, checkOneByOne));
  return tarballs;
}

/** Ends with the last, also if one fails: nothing goes on in a folder that is gone. */
async function allEnded(checks: readonly Promise<void>[]): Promise<void> {
  for (const check of await Promise.allSettled(checks)) {
    if (check.status === 'rejected') throw check.reason;
  }
}

async function checkProjects(scratch: string, tarballs: readonly string[]): Promise<void> {
  const checks = (['module', 'commonjs'] as const).map(async (type) => {
    const folder = join(scratch, type);
    await createProject(folder, type, tarballs);
    await checkProject(folder);
    console.log(`ok  the tarballs install, type-check and run in an empty ${type} project`);
  });
  await allEnded(checks);
}

const scratch = mkdtempSync(join(tmpdir(), 'partner-hiring-packages-'));
try {
  await checkProjects(scratch, await checkPackages(scratch));
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
