import { closeSync, fchmodSync, fstatSync, openSync, readlinkSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { StorageUnavailable } from '@partner-hiring/core';
import { isAnyError, warnOnce } from '@partner-hiring/storage-kysely';

/** Lets only the owner read and write the file, because it contains personal data. */
const FILE_MODE = 0o600;
/** The bits that let the group or others read or write the file. */
const OPEN_TO_OTHERS = 0o066;

/**
 * Creates the database file with mode 0600, which SQLite also uses for the files beside it. Does nothing on
 * Windows or if the file exists.
 * @throws StorageUnavailable if the file cannot be created.
 */
export function createPrivateFile(path: string): void {
  if (process.platform === 'win32') return;
  try {
    createFile(resolve(path));
  } catch (error) {
    throw new StorageUnavailable(`The database file ${path} cannot be created.`, { cause: error });
  }
}

function createFile(path: string): void {
  const descriptor = openNew(path);
  if (descriptor === null) {
    // If the path is a symbolic link, SQLite would follow it and create the target, so create the target here.
    if (!exists(path)) createFile(resolve(dirname(path), readlinkSync(path)));
    return;
  }
  try {
    // A umask can only remove bits, so the mode is rarely wrong. `fchmod` runs only if needed, because Node's
    // permission model forbids it.
    if ((fstatSync(descriptor).mode & 0o777) !== FILE_MODE) fchmodSync(descriptor, FILE_MODE);
  } finally {
    closeSync(descriptor);
  }
}

function openNew(path: string): number | null {
  try {
    return openSync(path, 'wx', FILE_MODE);
  } catch (error) {
    if (isAnyError(error) && 'code' in error && error.code === 'EEXIST') return null;
    throw error;
  }
}

function exists(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false }) !== undefined;
}

/**
 * Warns if other users can read or change the database or a file beside it. The path must have its links
 * resolved.
 */
export function warnIfOpenToOthers(file: string): void {
  // On Windows, file modes say nothing about other users.
  if (process.platform === 'win32') return;
  const open = [file, `${file}-wal`, `${file}-shm`].filter(isOpenToOthers);
  if (open.length === 0) return;
  warnOnce(
    `Other users of this machine can read or change the database ${file}, which holds candidates' personal data. ` +
      `Run \`chmod 600 ${open.map(quoted).join(' ')}\`.`,
  );
}

function isOpenToOthers(path: string): boolean {
  const found = statSync(path, { throwIfNoEntry: false });
  return found !== undefined && (found.mode & OPEN_TO_OTHERS) !== 0;
}

function quoted(path: string): string {
  return `'${path.replaceAll("'", "'\\''")}'`;
}
