import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { StorageUnavailable } from '@partner-hiring/core';
import type { Database } from 'better-sqlite3';

/**
 * Whether both handles are on one file, under whatever names: a host's transaction on another one would keep our rows
 * out of the storage, though it has tables of ours, as a copy or a test's database does.
 */
export function isSameFile(one: Database, other: Database): boolean {
  const [path, otherPath] = [fileOf(one), fileOf(other)];
  return path === otherPath || hasTwoNames(path, otherPath);
}

/** The file of a handle as SQLite found it, links followed, wherever the process has gone since; empty in memory. */
export function fileOf(handle: Database): string {
  const file = handle.prepare("select file from pragma_database_list where name = 'main'").pluck().get();
  return String(file ?? '');
}

/**
 * As on a file system that takes names in upper and lower case alike. A hard link is none: SQLite names its log after the
 * path that it was given, so each name has a log of its own, and neither sees what the other's holds.
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
 * Remembers which file is at a path now, and answers a check that it still is, and so are those that SQLite keeps beside
 * it. SQLite makes the same check of the file before it writes, but not with a write-ahead log, and none of the others: it
 * would go on in files without a name, which end with the process, and with them all that partners were told is stored.
 *
 * @param path - as it was given.
 * @param found - the same as SQLite found it, links followed: it names the others after that.
 * @returns what throws `StorageUnavailable` while one of them is not there, or another one is.
 */
export function createFileCheck(path: string, found: string): () => void {
  // Wherever the process goes to later.
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
      `${part} was deleted or replaced while the database was open. Stop this process without killing it: as it closes ` +
      'the storage, all that is stored goes into the database file. Then start it anew.'
    );
  }
  return inode === null
    ? `The database file ${part} was deleted or moved while it was open. Bring it back, with its \`-wal\`, or start the process anew.`
    : `Another file has taken the place of the database ${part} while it was open. Start the process anew to use that one.`;
}

/** Null if nothing is there. As large as it is on any file system. */
function inodeOf(file: string): bigint | null {
  return statSync(file, { bigint: true, throwIfNoEntry: false })?.ino ?? null;
}
