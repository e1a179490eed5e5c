import { randomBytes } from 'node:crypto';
import { statSync } from 'node:fs';
import { createPrivateFile, readFileIfThere } from './private-file.js';
import type { Settings } from './settings.js';
import { SetupError } from './setup-error.js';

const KEY_BYTES = 32;

/**
 * Returns the key that encrypts the signing secrets: `PARTNER_HIRING_SEALING_KEY`, or a file next to the database that the first start
 * creates. In production, load it from a secret store, and never keep it next to the database.
 *
 * @throws SetupError if the database exists without its key, or the key file is unreadable.
 */
export function sealingKey(settings: Settings): string {
  const { secretKey, secretKeyFile, databaseFile } = settings;
  // The database is checked before the key: a concurrent first start creates its key before its database.
  const isSealed = holdsAnything(databaseFile);
  const existing = secretKey ?? readKeyFile(secretKeyFile);
  if (existing !== null) return existing.trim();
  if (isSealed) {
    throw new SetupError(
      `${databaseFile} exists, but the key that seals its secrets does not. Restore ${secretKeyFile}, set ` +
        'PARTNER_HIRING_SEALING_KEY, or set DATABASE_FILE to another file to start over.',
    );
  }
  const fresh = randomBytes(KEY_BYTES).toString('base64');
  // A concurrent start may have created the key first.
  return createPrivateFile(secretKeyFile, `${fresh}\n`) ? fresh : sealingKey(settings);
}

/** Returns whether a database file can contain secrets. An empty file, such as `mktemp` creates, cannot. */
export function holdsAnything(databaseFile: string): boolean {
  return (statSync(databaseFile, { throwIfNoEntry: false })?.size ?? 0) > 0;
}

function readKeyFile(file: string): string | null {
  try {
    return readFileIfThere(file);
  } catch (error) {
    throw new SetupError(
      `Cannot read the sealing key ${file}: ${String(error)}. Put the key there, in a file that you may read, or set PARTNER_HIRING_SEALING_KEY.`,
      { cause: error },
    );
  }
}
