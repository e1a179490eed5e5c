import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runCommand } from './run-command.js';

/** The parts of a `package.json` that name libraries. */
interface Manifest {
  readonly private?: boolean;
  readonly dependencies?: Record<string, string>;
  readonly devDependencies?: Record<string, string>;
  readonly peerDependencies?: Record<string, string>;
}

/** Sets the newest versions that the published packages accept in a checkout. */
export async function takeNewest(
  checkout: string,
  libraries: readonly string[],
  env: NodeJS.ProcessEnv,
): Promise<void> {
  const files = readdirSync(join(checkout, 'packages')).map((name) =>
    join(checkout, 'packages', name, 'package.json'),
  );
  const manifests = files.map((file) => ({ file, manifest: readManifest(file) }));
  for (const name of libraries) {
    const range = publishedRange(
      manifests.map(({ manifest }) => manifest),
      name,
    );
    const version = await newestOf(checkout, name, range, env);
    for (const { manifest } of manifests) replace(manifest, name, version);
  }
  for (const { file, manifest } of manifests) writeFileSync(file, JSON.stringify(manifest, null, 2));
}

/** Sets the newest versions in a checkout, whatever the ranges, and removes the overrides that keep older ones. */
export async function takeNewestMajors(
  checkout: string,
  libraries: readonly string[],
  env: NodeJS.ProcessEnv,
): Promise<void> {
  const folders = ['.', ...readdirSync(join(checkout, 'packages')).map((name) => join('packages', name))];
  const files = folders.map((folder) => join(checkout, folder, 'package.json'));
  const manifests = files.map((file) => ({ file, manifest: readManifest(file) }));
  for (const name of libraries) {
    const args = ['view', `${name}@latest`, 'version'];
    const version = await runCommand(checkout, env, 'npm', args, 'read');
    for (const { manifest } of manifests) replace(manifest, name, version);
  }
  for (const { file, manifest } of manifests) {
    writeFileSync(file, JSON.stringify({ ...manifest, overrides: undefined }, null, 2));
  }
}

/** Returns the installed version of a library. */
export function installedVersion(checkout: string, name: string): string {
  const places = ['.', ...readdirSync(join(checkout, 'packages')).map((folder) => join('packages', folder))];
  const files = places.map((place) => join(checkout, place, 'node_modules', name, 'package.json'));
  // npm installs a version of a package beside it if the root has another one.
  const file = files.slice(1).find((each) => existsSync(each)) ?? files[0] ?? '';
  return (JSON.parse(readFileSync(file, 'utf8')) as { readonly version: string }).version;
}

function readManifest(file: string): Manifest {
  return JSON.parse(readFileSync(file, 'utf8')) as Manifest;
}

/** Returns the peer range, or else the dependency range. All packages must agree to be installed together. */
function publishedRange(manifests: readonly Manifest[], name: string): string {
  const ranges = manifests
    .filter((manifest) => manifest.private !== true)
    .flatMap(({ peerDependencies, dependencies }) => peerDependencies?.[name] ?? dependencies?.[name] ?? []);
  const [range, other] = new Set(ranges);
  if (range === undefined || other !== undefined) throw new Error(`${name} should have one published range`);
  return range;
}

async function newestOf(cwd: string, name: string, range: string, env: NodeJS.ProcessEnv): Promise<string> {
  const args = ['view', `${name}@${range}`, 'version', '--json'];
  const answer = JSON.parse(await runCommand(cwd, env, 'npm', args, 'read')) as string | readonly string[];
  const versions = [answer].flat().sort((a, b) => a.localeCompare(b, 'en', { numeric: true }));
  const newest = versions.at(-1);
  if (newest === undefined) throw new Error(`The registry has no ${name} that fits ${range}`);
  return newest;
}

function replace({ dependencies = {}, devDependencies = {} }: Manifest, name: string, version: string): void {
  for (const part of [dependencies, devDependencies]) if (name in part) part[name] = version;
}
