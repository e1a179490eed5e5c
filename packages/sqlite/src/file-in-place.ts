import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { StorageUnavailable } from '@partner-hiring/core';

/**
 * Remembers which file is at a path now, and answers a check that it still is. SQLite makes the same one before it
 * writes, but not with a write-ahead log: it would go on in a file without a name, which ends with the process, and
 * with it all that partners were told is stored.
 *
 * @returns what throws `StorageUnavailable` while the file is not there, or another one is.
 */
export function createFileCheck(path: string): () => void {
  // Wherever the process goes to later.
  const file = resolve(path);
  const opened = inodeOf(file);
  return () => {
    const found = inodeOf(file);
    if (found === opened) return;
    throw new StorageUnavailable(
      found === null
        ? `The database file ${file} was deleted or moved while it was open. Bring it back, with its \`-wal\`, or start the process anew.`
        : `Another file has taken the place of the database ${file} while it was open. Start the process anew to use that one.`,
    );
  };
}

/** Null if nothing is there. As large as it is on any file system. */
function inodeOf(file: string): bigint | null {
  return statSync(file, { bigint: true, throwIfNoEntry: false })?.ino ?? null;
}
