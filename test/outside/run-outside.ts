/**
 * Runs an example that is a project of its own, because it needs packages that the others do without:
 * `npm run example -- next`. Packs the packages and installs them in the example's folder.
 */
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { tarballOf } from '../tools/build/install-line.js';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const PACKAGES = join(ROOT, 'packages');
/** The example uses the native driver of the workspace, because compiling another one takes a minute. */
const SQLITE = dirname(createRequire(import.meta.url).resolve('better-sqlite3/package.json'));
const BUILT = 'build/Release/better_sqlite3.node';

/**
 * Returns the folder of an example that is a project of its own.
 * @throws Error with the names of these examples if none has this name.
 */
export function outsideExample(name: string): string {
  const names = readdirSync(join(ROOT, 'examples')).filter((each) =>
    existsSync(join(ROOT, 'examples', each, 'package.json')),
  );
  if (names.includes(name)) return join(ROOT, 'examples', name);
  throw new Error(
    `Name one of these examples: ${names.join(', ')}. For example: npm run example -- ${names[0]}`,
  );
}

/**
 * Environment variables for these projects. `prisma generate` would download an engine for migrations, although it never
 * runs it. The path of any existing file prevents the download.
 */
export const OUTSIDE_ENV = { PRISMA_SCHEMA_ENGINE_BINARY: process.execPath, CHECKPOINT_DISABLE: '1' };

/** Returns the folders in `packages` that the project in this folder installs. */
export function packagesOf(folder: string): readonly string[] {
  const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
    partnerHiring?: readonly string[];
  };
  return manifest.partnerHiring ?? [];
}

/**
 * Builds and packs the packages that the project imports, and installs them with its other dependencies. With
 * `OUTSIDE_BUILT=yes`, it packs what is built already.
 */
export async function installOutside(folder: string): Promise<void> {
  const destination = mkdtempSync(join(tmpdir(), 'partner-hiring-packages-'));
  try {
    await packPackages(packagesOf(folder), destination);
    await installPacked(folder, destination);
  } finally {
    rmSync(destination, { recursive: true, force: true });
  }
}

/** Builds these folders of `packages`, unless `OUTSIDE_BUILT=yes`, and packs them into a folder. */
export async function packPackages(names: readonly string[], destination: string): Promise<void> {
  if (process.env.OUTSIDE_BUILT !== 'yes') await run(ROOT, 'npm', ['run', 'build', '--silent']);
  const folders = names.map((name) => join(PACKAGES, name));
  await run(ROOT, 'npm', ['pack', '--silent', '--pack-destination', destination, ...folders]);
}

/** Installs the tarballs that the project imports, and its other dependencies, without a lock file. */
export async function installPacked(folder: string, tarballs: string): Promise<void> {
  const names = packagesOf(folder);
  const ours = names.map((name) => join(tarballs, tarballOf(name)));
  const options = [
    '--no-save',
    '--no-package-lock',
    '--no-audit',
    '--no-fund',
    '--prefer-offline',
    '--ignore-scripts',
  ];
  if (!names.includes('sqlite')) {
    await run(folder, 'npm', ['install', ...options, ...ours]);
    return;
  }
  const { version } = JSON.parse(readFileSync(join(SQLITE, 'package.json'), 'utf8')) as { version: string };
  await run(folder, 'npm', ['install', ...options, ...ours, `better-sqlite3@${version}`]);
  cpSync(join(SQLITE, BUILT), join(folder, 'node_modules/better-sqlite3', BUILT));
}

/** Runs a command with this terminal. @throws Error if it fails. */
function run(cwd: string, command: string, args: readonly string[]): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd, stdio: ['ignore', 'ignore', 'inherit'] });
    child.once('error', reject);
    child.once('exit', (code) => {
      if (code === 0) resolve();
      else reject(new Error(`${command} ${args.join(' ')} ended with ${code} in ${cwd}.`));
    });
  });
}

async function main(): Promise<void> {
  const folder = outsideExample(process.argv[2] ?? '');
  console.log('Building, packing and installing the packages. This takes a minute.');
  await installOutside(folder);
  const { STAFF_TOKEN = randomBytes(32).toString('hex') } = process.env;
  console.log(`Sign in as staff with this token: ${STAFF_TOKEN}`);
  const child = spawn('npm', ['start'], {
    cwd: folder,
    stdio: 'inherit',
    env: {
      STAFF_TOKEN,
      PARTNER_HIRING_SEALING_KEY: randomBytes(32).toString('base64'),
      ...process.env,
      ...OUTSIDE_ENV,
    },
  });
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => child.kill(signal));
  child.once('exit', (code) => {
    process.exitCode = code ?? 1;
  });
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  await main().catch((error: unknown) => {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  });
}
