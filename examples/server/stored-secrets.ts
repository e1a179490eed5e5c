import type { LocalSecretBox, Storage } from '@partner-hiring/core';
import type { Settings } from './settings.js';
import { SetupError } from './setup-error.js';

/**
 * Checks at the start that the sealing key can decrypt the stored secrets. A wrong key would otherwise be
 * noticed only at the first event.
 *
 * @throws SetupError if signing secrets exist and the key decrypts none of them.
 */
export async function assertOpensSecrets(
  { direct }: Storage<unknown>,
  secretBox: LocalSecretBox,
  settings: Settings,
): Promise<void> {
  const stored = (await direct.endpoints.list()).flatMap(({ keyId, secrets }) =>
    secrets.map(({ sealed }) => ({ keyId, sealed })),
  );
  const opens = ({ keyId, sealed }: (typeof stored)[number]) => {
    try {
      secretBox.open(sealed, { purpose: 'webhook_signing_secret', keyId });
      return true;
    } catch {
      return false;
    }
  };
  if (stored.length === 0 || stored.some(opens)) return;
  const { databaseFile, secretKey, secretKeyFile } = settings;
  const [source, fix] =
    secretKey === null
      ? [secretKeyFile, 'Restore the key that sealed them']
      : [
          'PARTNER_HIRING_SEALING_KEY',
          `Set it to the key that sealed them, or unset it if that key is in ${secretKeyFile}`,
        ];
  throw new SetupError(
    `${source} is not the key that sealed the signing secrets in ${databaseFile}: it decrypts none of them. ${fix}, or set ` +
      'DATABASE_FILE to another file to start over.',
  );
}
