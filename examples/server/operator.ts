/**
 * Runs operator commands on the server's database, even while the server runs. The server's worker finds new
 * work at its next poll.
 * `npm run operator -- --help`
 */
import { statSync } from 'node:fs';
import { runCommandLine } from '@partner-hiring/cli';
import { StorageUnavailable } from '@partner-hiring/core';
import Database from 'better-sqlite3';
import { assertFitFile } from './fit-file.js';
import { type ExamplePartnerHiring, openPartnerHiring } from './open-partner-hiring.js';
import { readSettings } from './settings.js';
import { SetupError } from './setup-error.js';
import { unusableDatabase } from './unusable-database.js';

async function open(): Promise<ExamplePartnerHiring> {
  const settings = readSettings(process.env);
  if (!isThere(settings.databaseFile)) {
    throw new SetupError(
      `The database ${settings.databaseFile} does not exist. Start the server first: npm start. If it is running, set DATABASE_FILE ` +
        'for this command to the same file as for the server.',
    );
  }
  if (!hasTables(settings.databaseFile)) {
    throw new SetupError(
      `${settings.databaseFile} has no tables of the partner API. Set DATABASE_FILE to the server's file, or start the server first: npm start`,
    );
  }
  return openPartnerHiring(settings);
}

/** Returns whether the file exists. Throws if the path cannot be read or cannot be a database. */
function isThere(file: string): boolean {
  try {
    assertFitFile(file);
    return statSync(file, { throwIfNoEntry: false }) !== undefined;
  } catch (error) {
    throw unusableDatabase(file, error);
  }
}

/** Returns whether a server has used the file. The commands do not create tables in other files. */
function hasTables(file: string): boolean {
  try {
    const database = new Database(file, { readonly: true });
    try {
      return (
        database.prepare("select 1 from sqlite_schema where name = 'ph_schema_migration'").get() !== undefined
      );
    } finally {
      database.close();
    }
  } catch (error) {
    throw unusableDatabase(file, error);
  }
}

/** Describes errors of the settings and the database. The command line describes the others. */
function describeError(error: unknown): string | null {
  const known =
    error instanceof StorageUnavailable
      ? unusableDatabase(readSettings(process.env).databaseFile, error)
      : error;
  return known instanceof SetupError ? known.message : null;
}

const code = await runCommandLine({
  argv: process.argv.slice(2),
  programName: 'npm run operator --',
  open,
  describeError,
});
if (code !== 0) process.exitCode = code;
