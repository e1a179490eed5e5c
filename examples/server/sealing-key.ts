import { randomBytes } from 'node:crypto';
import { statSync } from 'node:fs';
import { createPrivateFile, readFileIfThere } from './private-file.js';
import type { Settings } from './settings.js';
import { SetupError } from './setup-error.js';

const KEY_BYTES = 32;

/**
 * The key that seals the webhook signing secrets: `SECRET_KEY`, or a file beside the database that the first
 * start creates. In production it comes from a secret store and never lies beside what it seals.
 *
 * @throws SetupError if there is a database whose key is gone, or the file of the key cannot be read.
 */
export function sealingKey(settings: Settings): string {
  const { secretKey, secretKeyFile, databaseFile } = settings;
  // Looked at before the key: another first start makes its key first, so a database that is seen has its key by then.
  const isSealed = holdsAnything(databaseFile);
  const existing = secretKey ?? readKeyFile(secretKeyFile);
  if (existing !== null) return existing.trim();
  if (isSealed) {
    throw new SetupError(
      `${databaseFile} is there, but the key that seals its secrets is not: bring back ${secretKeyFile}, set ` +
        'SECRET_KEY, or set DATABASE_FILE to another file to start afresh.',
    );
  }
  const fresh = randomBytes(KEY_BYTES).toString('base64');
  // Another start may have been faster; its key counts.
  return createPrivateFile(secretKeyFile, `${fresh}\n`) ? fresh : sealingKey(settings);
}

/** Whether there may be something sealed in a database file: in an empty one, such as `mktemp` makes, there is not. */
export function holdsAnything(databaseFile: string): boolean {
  return (statSync(databaseFile, { throwIfNoEntry: false })?.size ?? 0) > 0;
}

function readKeyFile(file: string): string | null {
  try {
    return readFileIfThere(file);
  } catch (error) {
    throw new SetupError(
      `Cannot read the sealing key ${file}: ${String(error)}. Put the key there, in a file that you may read, or set SECRET_KEY.`,
      { cause: error },
    );
  }
}
