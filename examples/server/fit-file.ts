import { accessSync, constants, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { SetupError } from './setup-error.js';

/**
 * Rejects a path that cannot be a database, before other files are created next to it. Accepts a path where
 * no file exists yet.
 *
 * @throws SetupError for a database in memory, a folder, or a read-only file. SQLite would create read-only
 *   files next to a read-only database.
 */
export function assertFitFile(file: string): void {
  if (basename(file) === ':memory:') {
    throw new SetupError(
      'DATABASE_FILE=:memory: is not a file, so `npm run operator` could not read it. Set it to a file, or leave it out.',
    );
  }
  const found = statSync(file, { throwIfNoEntry: false });
  if (found === undefined) return;
  if (found.isDirectory()) {
    const example = join(file, 'partner-hiring.sqlite');
    throw new SetupError(`DATABASE_FILE=${file} is a folder. Name a file in it, e.g. ${example}`);
  }
  try {
    accessSync(file, constants.W_OK);
  } catch (error) {
    throw new SetupError(
      `The database ${file} is read-only (${String(error)}). Make it writable, e.g. with chmod u+w, or set ` +
        'DATABASE_FILE to another file to start over.',
      { cause: error },
    );
  }
}
