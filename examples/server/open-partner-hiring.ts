import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import {
  createPartnerHiring,
  createResumeFolder,
  createSecretBox,
  type LocalSecretBox,
  OperatorError,
  type PartnerHiring,
  type Storage,
} from '@partner-hiring/core';
import { createSqliteStorage } from '@partner-hiring/sqlite';
import type { Database } from 'better-sqlite3';
import { candidateInbox, createCandidateTable } from './candidates.js';
import { consoleAlerts, consoleLogger } from './console-output.js';
import { assertFitFile } from './fit-file.js';
import { holdsAnything, sealingKey } from './sealing-key.js';
import { SELF_SERVICE, SUPPORT } from './self-service.js';
import type { Settings } from './settings.js';
import { SetupError } from './setup-error.js';
import { assertOpensSecrets } from './stored-secrets.js';
import { unusableDatabase } from './unusable-database.js';

/** The partner API on SQLite. A host's transaction is a `better-sqlite3` database. */
export type ExamplePartnerHiring = PartnerHiring<Database>;

/**
 * Builds the partner API for the server and the operator command.
 *
 * @throws SetupError if the sealing key is invalid, if it did not seal the secrets in the database, or if the
 *   database is unusable.
 * @throws OperatorError if this machine's clock is wrong.
 */
export async function openPartnerHiring(settings: Settings): Promise<ExamplePartnerHiring> {
  const { storage, secretBox } = await openStorage(settings).catch((error: unknown) => {
    throw unusableDatabase(settings.databaseFile, error);
  });
  try {
    return createPartnerHiring({
      storage,
      secretBox,
      deployment: settings.deployment ?? undefined,
      inbox: candidateInbox,
      resumeSink: createResumeFolder(settings.resumeFolder),
      alerts: consoleAlerts,
      // Messages to partners name it. A host with a partner portal also sets `portalUrl`.
      support: SUPPORT,
      logger: consoleLogger,
      // Each sandbox key gets its own companies, jobs and magic addresses.
      sandbox: true,
      selfService: SELF_SERVICE,
      // Allows webhooks to the example's receiver, which uses plain http on this machine. Remove this in
      // production.
      allowPrivateNetworks: true,
    });
  } catch (error) {
    await storage.close();
    throw error;
  }
}

interface SealedStorage {
  readonly storage: Storage<Database, Database>;
  readonly secretBox: LocalSecretBox;
}

async function openStorage(settings: Settings): Promise<SealedStorage> {
  const { databaseFile: file } = settings;
  assertFitFile(file);
  mkdirSync(dirname(file), { recursive: true });
  // The key is checked first, so that an invalid key does not leave an empty database behind.
  const secretBox = sealWith(settings);
  const storage = await createSqliteStorage({ file });
  try {
    await assertOpensSecrets(storage, secretBox, settings);
    createCandidateTable(file);
    return { storage, secretBox };
  } catch (error) {
    await storage.close();
    throw error;
  }
}

function sealWith(settings: Settings): LocalSecretBox {
  const key = sealingKey(settings);
  try {
    return createSecretBox(key);
  } catch (error) {
    if (!(error instanceof OperatorError)) throw error;
    const source = settings.secretKey === null ? settings.secretKeyFile : 'PARTNER_HIRING_SEALING_KEY';
    throw new SetupError(`${source} is not a usable sealing key. ${fitKey(settings, error)}`, {
      cause: error,
    });
  }
}

/**
 * Returns how to fix the sealing key. An existing database needs its old key, because a new key cannot
 * decrypt the stored secrets.
 */
function fitKey({ databaseFile }: Settings, error: OperatorError): string {
  if (!holdsAnything(databaseFile)) return error.message;
  return (
    `It must be the 32 bytes that seal the secrets of ${databaseFile}, as 64 hexadecimal characters or in base64. ` +
    'Restore this key, or set DATABASE_FILE to another file to start over.'
  );
}
