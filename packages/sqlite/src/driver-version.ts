import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { storageMisconfiguration } from '@partner-hiring/storage-kysely';
import Sqlite, { type Database, type Options } from 'better-sqlite3';

/** The Node-API version that better-sqlite3 13 is built for. Node has it from 22.14, 23.6 and 24 on. */
const NODE_API = 10;

/**
 * Returns why a version of better-sqlite3 cannot run on a version of Node, or null. Without this check, the process ends
 * with a segmentation fault.
 * @param nodeApi - `process.versions.napi`.
 */
export function driverProblem(driver: string, node: string, nodeApi: string | undefined): string | null {
  const major = Number(/^\d+/.exec(driver)?.[0]);
  if (!(major >= 13) || Number(nodeApi) >= NODE_API) return null;
  return (
    `better-sqlite3 ${driver} ends the process on Node ${node}: it needs Node 22.14, 23.6, 24 or newer. ` +
    'Run `npm install better-sqlite3@12`, or with pnpm `pnpm add better-sqlite3@12 --allow-build=better-sqlite3`, or upgrade Node.'
  );
}

let isChecked = false;

/**
 * Opens a handle, after a check of the driver's version. The native module loads with the first handle.
 * @throws OperatorError `MISCONFIGURED` that names the version to install.
 */
export function openHandle(file: string, options: Options): Database {
  if (!isChecked) {
    const version = installedVersion();
    const { node, napi } = process.versions;
    const problem = version === null ? null : driverProblem(version, node, napi);
    if (problem !== null) throw storageMisconfiguration(problem);
    isChecked = true;
  }
  return new Sqlite(file, options);
}

/** Returns null if the package's manifest is not beside its code, for example in a bundle. */
function installedVersion(): string | null {
  try {
    const manifest = createRequire(import.meta.url).resolve('better-sqlite3/package.json');
    const { version } = JSON.parse(readFileSync(manifest, 'utf8')) as { readonly version?: unknown };
    return typeof version === 'string' ? version : null;
  } catch {
    return null;
  }
}
