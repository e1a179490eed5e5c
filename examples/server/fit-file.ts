import { accessSync, constants, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { SetupError } from './setup-error.js';

/**
 * Refuses what can be no database, before anything is made beside it. Where nothing is, one can be made.
 *
 * @throws SetupError for a database in memory, for a folder, and for a file that may only be read: whoever looks into
 *   that one would leave files beside it that may not be written either, also once it may.
 */
export function assertFitFile(file: string): void {
  if (basename(file) === ':memory:') {
    throw new SetupError(
      'DATABASE_FILE=:memory: is no file, and `npm run operator` could not see what is in it. Set it to a file, or leave it out.',
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
      `The database ${file} may only be read (${String(error)}). Let yourself write it, e.g. with chmod u+w, or set ` +
        'DATABASE_FILE to another file to start afresh.',
      { cause: error },
    );
  }
}
