import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import {
  createPartnerHiring,
  createResumeFolder,
  createSecretBox,
  OperatorError,
  type PartnerHiring,
} from '@partner-hiring/core';
import { createSqliteStorage } from '@partner-hiring/sqlite';
import type { Database } from 'better-sqlite3';
import { consoleAlerts, consoleLogger } from './console-output.js';
import { sealingKey } from './sealing-key.js';
import type { Settings } from './settings.js';
import { SetupError } from './setup-error.js';

/** The partner API on SQLite, where a transaction of the host is a `better-sqlite3` database. */
export type ExamplePartnerHiring = PartnerHiring<Database>;

/**
 * Puts the partner API together, for the server and for the operator command alike.
 *
 * @throws SetupError if the sealing key is unfit, or the database cannot be opened.
 */
export async function openPartnerHiring(settings: Settings): Promise<ExamplePartnerHiring> {
  const { databaseFile: file, resumeFolder } = settings;
  try {
    mkdirSync(dirname(file), { recursive: true });
    // First of all: an unfit key leaves no database behind that asks for it later.
    const secretBox = sealWith(settings);
    return createPartnerHiring({
      storage: await createSqliteStorage({ file }),
      secretBox,
      resumeSink: createResumeFolder(resumeFolder),
      alerts: consoleAlerts,
      logger: consoleLogger,
      // Each sandbox key gets companies, jobs and magic addresses of its own.
      sandbox: true,
      // The receiver beside this server listens on this machine, in plain http. Leave this out in production.
      allowPrivateNetworks: true,
    });
  } catch (error) {
    throw unusableDatabase(file, error);
  }
}

/** What went wrong with the database, and what to do about it. */
export function unusableDatabase(file: string, error: unknown): SetupError {
  if (error instanceof SetupError) return error;
  const reason = reasonOf(error);
  return new SetupError(`Cannot open the database ${file}: ${reason}${fixFor(error, reason)}`, {
    cause: error,
  });
}

function fixFor(error: unknown, reason: string): string {
  // It names its own.
  if (error instanceof OperatorError) return '';
  if (/malformed|not a database/.test(reason)) {
    return '. Bring back a copy of it, or set DATABASE_FILE to another file to start afresh.';
  }
  if (/locked/.test(reason)) return '. Try again once whoever writes to it is done, or end that process.';
  return '. Set DATABASE_FILE to a file in a folder that you may write to, where there is room.';
}

function sealWith(settings: Settings): ReturnType<typeof createSecretBox> {
  const key = sealingKey(settings);
  try {
    return createSecretBox(key);
  } catch (error) {
    if (!(error instanceof OperatorError)) throw error;
    const source = settings.secretKey === null ? settings.secretKeyFile : 'SECRET_KEY';
    throw new SetupError(`${source} is unfit. ${error.message}`, { cause: error });
  }
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? `${error.message} (${error.cause.message})` : error.message;
}
