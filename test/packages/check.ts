/**
 * Checks every published package as a stranger meets it: its tarball passes publint and arethetypeswrong, and
 * all tarballs together install, type-check and run in an empty ESM and an empty CommonJS project, the
 * conformance suites among them.
 */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
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

function run(cwd: string, command: string, ...args: readonly string[]): string {
  return execFileSync(command, args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });
}

function pack(folder: string, destination: string): string {
  const [packed] = JSON.parse(
    run(folder, 'npm', 'pack', '--json', '--silent', '--pack-destination', destination),
  ) as [{ filename: string }];
  return join(destination, packed.filename);
}

async function lint(folder: string): Promise<void> {
  const { messages, pkg } = await publint({ pkgDir: folder, strict: true });
  if (messages.length === 0) return;
  throw new Error(messages.map((message) => formatMessage(message, pkg)).join('\n'));
}

function checkTypes(tarball: string): void {
  run(root, join(root, 'node_modules/.bin/attw'), tarball, '--quiet');
}

/** An empty project of that module type with all tarballs, the consumer's programs, and nothing else. */
function createProject(folder: string, type: 'module' | 'commonjs', tarballs: readonly string[]): void {
  mkdirSync(folder);
  writeFileSync(
    join(folder, 'package.json'),
    JSON.stringify({ name: `consumer-${type}`, private: true, type }),
  );
  // The native driver is built once, for the workspace; these projects borrow the binary.
  run(
    folder,
    'npm',
    'install',
    '--silent',
    '--ignore-scripts',
    ...tarballs,
    'typescript@5.9',
    '@types/node@20',
    '@types/express@5',
  );
  const built = join(dirname(require.resolve('better-sqlite3/package.json')), 'build/Release');
  cpSync(built, join(folder, 'node_modules/better-sqlite3/build/Release'), { recursive: true });
  for (const file of CONSUMERS) cpSync(join(root, 'test/packages', file), join(folder, file));
}

function checkProject(folder: string): void {
  const options = ['--strict', '--exactOptionalPropertyTypes', '--module', 'nodenext', '--target', 'es2022'];
  run(folder, 'npx', 'tsc', ...options, '--types', 'node', ...CONSUMERS);
  for (const program of ['consumer.js', 'certify.js'])
    process.stdout.write(run(folder, process.execPath, program));
  run(folder, 'npx', 'vitest', 'run', 'consumer.test.ts', '--silent', '--reporter=dot');
}

const scratch = mkdtempSync(join(tmpdir(), 'partner-hiring-packages-'));
try {
  const tarballs: string[] = [];
  for (const folder of publishedPackages()) {
    const tarball = pack(folder, scratch);
    await lint(folder);
    checkTypes(tarball);
    tarballs.push(tarball);
    console.log(`ok  ${readManifest(folder).name}: publint and arethetypeswrong are clean`);
  }
  for (const type of ['module', 'commonjs'] as const) {
    const folder = join(scratch, type);
    createProject(folder, type, tarballs);
    checkProject(folder);
    console.log(`ok  the tarballs install, type-check and run in an empty ${type} project`);
  }
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
