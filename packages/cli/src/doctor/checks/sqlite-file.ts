import { accessSync, constants, statfsSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { loadSqlite } from '../../connection/load-storage.js';
import { type FileSystem, onSqlite } from '../check.js';
import { failed, ok, warning } from '../report.js';
import { describeBytes, plural } from './words.js';

/** May this process write the file, and nobody else read it? */
export const FILE = onSqlite('file', [], ({ file: given }) => {
  const file = resolve(given);
  for (const path of [file, dirname(file)]) {
    try {
      accessSync(path, constants.W_OK);
    } catch {
      return failed(
        `${path} is not writable, so partners would get 503 for every request.`,
        `Run the doctor as the user of your server. If that user cannot write either: \`chown USER ${quoted(path)}\`.`,
      );
    }
  }
  const stat = statSync(file);
  if (stat.nlink > 1) {
    return failed(
      `${file} has ${stat.nlink} hard links, and a process that opens another one corrupts the database.`,
      `Find them with \`find / -samefile ${quoted(file)}\`, stop all processes, and keep one.`,
    );
  }
  const open = [file, `${file}-wal`, `${file}-shm`].filter(isOpenToOthers);
  if (open.length > 0) {
    return warning(
      "Other users of this machine can read or change the candidates' personal data in the file.",
      `chmod 600 ${open.map(quoted).join(' ')}`,
    );
  }
  return ok('The file is writable, and private to its user.');
});

/** The bits that let the group or others read or write. On Windows, they say nothing. */
const OPEN_TO_OTHERS = 0o066;

function isOpenToOthers(path: string): boolean {
  if (process.platform === 'win32') return false;
  const found = statSync(path, { throwIfNoEntry: false });
  return found !== undefined && (found.mode & OPEN_TO_OTHERS) !== 0;
}

function quoted(path: string): string {
  return `'${path.replaceAll("'", "'\\''")}'`;
}

/** The types of file systems, as Linux numbers them, whose locks or shared memory do not work between machines. */
const NETWORK: ReadonlyMap<number, string> = new Map([
  [0x6969, 'NFS'],
  [0x517b, 'SMB'],
  [0xff534d42, 'CIFS'],
  [0xfe534d42, 'SMB2'],
  [0x01021997, '9P'],
  [0x00c36400, 'Ceph'],
  [0x47504653, 'GPFS'],
]);

/** Linux's number of FUSE, and of virtiofs, with which Docker Desktop shares folders. */
const FUSE = 0x65735546;

/** Is the file on a disk of this machine? */
export const FILE_SYSTEM = onSqlite('file-system', [], async ({ file }, { fileSystem, limits }) => {
  const { type, freeBytes, shared = null } = await fileSystem(resolve(file));
  const neededBytes = limits.diskBytes;
  const network = NETWORK.get(type >>> 0);
  if (network !== undefined) {
    return failed(
      `The file is on a network file system (${network}), where SQLite's locks and its log do not work.`,
      'Move the file to a local disk, or use PostgreSQL.',
    );
  }
  if (freeBytes < neededBytes) {
    return failed(
      `Only ${describeBytes(freeBytes)} of the disk are free. If it is full, partners get 503.`,
      `Free at least ${describeBytes(neededBytes)}.`,
    );
  }
  const name = shared ?? (type >>> 0 === FUSE ? 'FUSE' : null);
  if (name !== null) {
    return warning(
      `The file is on a shared file system (${name}), where SQLite's locks and its log may not work.`,
      'Move the file to a local disk or a volume of Docker, or use PostgreSQL. Never open it from two machines or containers.',
    );
  }
  return ok(`The file is on a local disk with ${describeBytes(freeBytes)} free.`);
});

/** Returns the type of a file's file system, and the space that is left on it. */
export async function readFileSystem(file: string): Promise<FileSystem> {
  const { type, bavail, bsize } = statfsSync(file);
  const { sharedFileSystemOf } = await loadSqlite();
  return { type, freeBytes: bavail * bsize, shared: sharedFileSystemOf(file) };
}

/** The first SQLite version with strict tables. */
const OLDEST_SQLITE = [3, 37] as const;

/** Is the library new enough, and in the mode that the storage needs? */
export const SQLITE = onSqlite('sqlite', [], async ({ rows }) => {
  const [found] = await rows<{ version: string }>('select sqlite_version() as version');
  const { version = '' } = found ?? {};
  const [major = 0, minor = 0] = version.split('.').map(Number);
  if (major < OLDEST_SQLITE[0] || (major === OLDEST_SQLITE[0] && minor < OLDEST_SQLITE[1])) {
    return failed(
      `SQLite ${version} is too old: the storage needs 3.37.`,
      'Upgrade better-sqlite3 to 12.5 or later.',
    );
  }
  return ok(`SQLite ${version} is supported.`);
});

/** Can readers read while another process writes? */
export const JOURNAL_MODE = onSqlite('journal-mode', ['tables'], async ({ rows }) => {
  const [found] = await rows<{ journal_mode: string }>('pragma journal_mode');
  const mode = found?.journal_mode ?? 'unknown';
  if (mode === 'wal') return ok('The file has a write-ahead log.');
  return failed(
    `The journal mode is ${mode}: readers block writers, and a backup may have changed it.`,
    'pragma journal_mode = wal;\nThe storage does the same when a process opens the file.',
  );
});

/** Does the log grow, or the file keep much unused space? */
export const SPACE = onSqlite('space', [], async ({ rows, file: given }, { limits }) => {
  const file = resolve(given);
  const walBytes = statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0;
  if (walBytes > limits.walBytes) {
    return warning(
      `The write-ahead log is ${describeBytes(walBytes)} large. A reader that stays open keeps it from being copied into the file.`,
      `Find the process with \`fuser ${quoted(file)}\`, and end its transaction. Then run \`pragma wal_checkpoint(truncate)\`.`,
    );
  }
  const [free] = await rows<{ freelist_count: number }>('pragma freelist_count');
  const [size] = await rows<{ page_size: number }>('pragma page_size');
  const [total] = await rows<{ page_count: number }>('pragma page_count');
  const pageSize = size?.page_size ?? 0;
  const freeBytes = (free?.freelist_count ?? 0) * pageSize;
  const fileBytes = (total?.page_count ?? 0) * pageSize;
  if (freeBytes > limits.freeBytes && freeBytes > fileBytes / 2) {
    return warning(
      `${describeBytes(freeBytes)} of the file's ${describeBytes(fileBytes)} are unused.`,
      'To give them back to the disk, stop all processes and run `vacuum`. New rows reuse them otherwise.',
    );
  }
  return ok(`The file has ${plural(total?.page_count ?? 0, 'page', 'pages')}, and the log is small.`);
});
