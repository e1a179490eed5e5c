import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { StorageUnavailable } from '@partner-hiring/core';
import { type FileIdentity, storageMisconfiguration } from '@partner-hiring/storage-kysely';
import type { Database } from 'better-sqlite3';

/**
 * Throws if `file` is in quotes or a URL, as Prisma and other libraries write it: SQLite would take the URL for a path. The
 * message has the path.
 */
export function assertPlainPath(file: string): void {
  const text = file.trim();
  const bare = text.replace(/^(["'`])(.*)\1$/s, '$2').trim();
  const path = pathIn(bare);
  if (path === text) return;
  const source = bare === text ? 'a URL' : 'in quotes';
  const note = /^(?:\.{1,2}[\\/]|[^\\/])/.test(path)
    ? ' A relative path begins at the working folder of the process; Prisma begins at its own file.'
    : '';
  throw storageMisconfiguration(
    `\`file\` is ${source}. Pass the path alone: ${path === '' ? "'partner-hiring.sqlite'" : `'${path}'`}.${note}`,
  );
}

const SCHEME = /^(?:jdbc:)?(?:file|sqlite3?|better-sqlite3|libsql):/i;

/** Returns the path in a URL of a SQLite file, or the text itself. */
function pathIn(text: string): string {
  const scheme = SCHEME.exec(text)?.[0];
  if (scheme === undefined) return text;
  const [rest = ''] = text.slice(scheme.length).split(/[?#]/);
  // `file:///x` and `sqlite:////x` are absolute, `sqlite://x` and `sqlite:///./x` are not.
  const isFileUrl = /file:$/i.test(scheme);
  const path = rest.startsWith('//')
    ? rest.slice(isFileUrl || !rest.startsWith('///') ? 2 : rest.startsWith('////') ? 3 : 2)
    : rest;
  return decoded(path);
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/** Returns whether both handles have the same file open. */
export function isSameFile(one: Database, other: Database): boolean {
  return isSamePath(fileOf(one), fileOf(other));
}

/** Returns whether both paths name the same file. */
export function isSamePath(path: string, other: string): boolean {
  return path === other || hasTwoNames(path, other);
}

/** Returns the absolute path of the open file, with links resolved. Empty for a database in memory. */
export function fileOf(handle: Database): string {
  const file = handle.prepare("select file from pragma_database_list where name = 'main'").pluck().get();
  return String(file ?? '');
}

/** Returns where the open file is, for `deployment`. Inodes are unique only within a device. */
export function identityOf(handle: Database): FileIdentity {
  const path = fileOf(handle);
  const found = statSync(path, { bigint: true, throwIfNoEntry: false });
  return { path, inode: found === undefined ? '' : `${found.dev}:${found.ino}` };
}

/**
 * Returns whether two paths name the same file and the same write-ahead log. On a case-insensitive file system, the
 * paths can differ in case. Two hard links do not count, because they have separate logs.
 */
function hasTwoNames(path: string, other: string): boolean {
  return ['', '-wal'].every((end) => {
    const [one, two] = [path, other].map((each) =>
      statSync(each + end, { bigint: true, throwIfNoEntry: false }),
    );
    return one !== undefined && two !== undefined && one.dev === two.dev && one.ino === two.ino;
  });
}

/**
 * Returns a check that throws `StorageUnavailable` if the file, its `-wal` or its `-shm` is missing or was
 * replaced. SQLite does not notice that, and would lose later commits.
 * @param path - the path of the option.
 * @param found - the same path with links resolved.
 */
export function createFileCheck(path: string, found: string): () => void {
  // Resolves the path now, because the process may change its working directory later.
  const file = resolve(path);
  const parts = [file, `${found}-wal`, `${found}-shm`].map((part) => ({ part, opened: inodeOf(part) }));
  return () => {
    for (const { part, opened } of parts) {
      const inode = inodeOf(part);
      if (inode !== opened) throw new StorageUnavailable(adviceFor(part, part === file, inode));
    }
  };
}

function adviceFor(part: string, isFile: boolean, inode: bigint | null): string {
  if (!isFile) {
    return (
      `${part} was deleted or replaced while the database was open. ` +
      'Stop this process without killing it: when the storage closes, it writes all data to the database file. ' +
      'Then start the process again.'
    );
  }
  return inode === null
    ? `The database file ${part} was deleted or moved while it was open. Bring it back, with its \`-wal\`, or restart the process.`
    : `Another file replaced the database ${part} while it was open. Restart the process to use the new file.`;
}

/**
 * Returns the inode of a file, or null if the file is missing. A bigint, because inodes may exceed safe
 * integers.
 */
function inodeOf(file: string): bigint | null {
  return statSync(file, { bigint: true, throwIfNoEntry: false })?.ino ?? null;
}
