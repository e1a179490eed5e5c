import { statSync } from 'node:fs';
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
