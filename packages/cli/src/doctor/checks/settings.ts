import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ResolvedAddress } from '../database/address.js';
import { type Finding, failed, ok, skippedCheck, warning } from '../report.js';

/** The versions of packages, by their names. Null if a package was not found. */
export type PackageVersions = Readonly<Record<string, string | null>>;

const UPGRADE_NODE = 'Install Node 22.12 or later, or the newest 20.x.';

/** Checks that the packages support this version of Node. */
export function checkNode(version: string): Finding {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  if (major < 20 || (major === 20 && minor < 19)) {
    return failed(`Node ${version} is too old: the packages need 20.19 or later.`, UPGRADE_NODE);
  }
  if (major === 21 || (major === 22 && minor < 12)) {
    return warning(`The packages are not tested with Node ${version}.`, UPGRADE_NODE);
  }
  return ok(`Node ${version} is supported.`);
}

/** Says which check a proxy that resolves names turns off. */
export function checkProxy(): Finding {
  return warning(
    'The proxy resolves names, so the check of the addresses that names of partners lead to is off.',
    "Let the proxy refuse private networks and metadata addresses, or set `proxy: { resolve: 'here' }`.",
  );
}

/** Checks that the packages are of the same release, because the storage must know the same tables as core. */
export function checkPackages(versions: PackageVersions): Finding {
  const found = Object.entries(versions).flatMap(([name, version]) =>
    version === null ? [] : [{ name, version }],
  );
  const missing = Object.keys(versions).filter((name) => versions[name] === null);
  if (missing.length > 0) return skippedCheck(`The version of ${missing.join(' and ')} cannot be read.`);
  const [first] = found;
  if (first === undefined || found.every(({ version }) => version === first.version)) {
    return ok(`All packages are of release ${first?.version ?? 'unknown'}.`);
  }
  return failed(
    `The packages are of different releases: ${found.map(({ name, version }) => `${name} ${version}`).join(', ')}.`,
    `Install the same version of each: \`npm install ${found.map(({ name }) => `${name}@latest`).join(' ')}\`.`,
  );
}

/** Returns the versions of this package, core and the storage of the address. */
export function installedVersions({ kind }: Pick<ResolvedAddress, 'kind'>): PackageVersions {
  const names = ['@partner-hiring/core', ...(kind === 'refused' ? [] : [`@partner-hiring/${kind}`])];
  return Object.fromEntries([
    [OWN_NAME, ownVersion(dirname(fileURLToPath(import.meta.url)))],
    ...names.map((name) => [name, versionOf(name)] as const),
  ]);
}

const OWN_NAME = '@partner-hiring/cli';

interface PackageManifest {
  readonly name?: string;
  readonly version?: string;
}

function readManifest(folder: string): PackageManifest | null {
  const file = join(folder, 'package.json');
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as PackageManifest) : null;
}

function ownVersion(folder: string): string | null {
  const manifest = readManifest(folder);
  if (manifest?.name === OWN_NAME) return manifest.version ?? null;
  return dirname(folder) === folder ? null : ownVersion(dirname(folder));
}

/** Searches the folders of modules, because the packages do not export their `package.json`. */
function versionOf(name: string): string | null {
  const folders = createRequire(import.meta.url).resolve.paths(name) ?? [];
  for (const folder of folders) {
    const version = readManifest(join(folder, name))?.version;
    if (version !== undefined) return version;
  }
  return null;
}
