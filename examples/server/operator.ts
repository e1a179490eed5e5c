/**
 * Runs operator commands on the server's database, even while the server runs. The server's worker finds new
 * work at its next poll.
 * `npm run operator -- --help`
 */
import { statSync } from 'node:fs';
import { OperatorError, StorageUnavailable } from '@partner-hiring/core';
import Database from 'better-sqlite3';
import { outliveReaders } from './console-output.js';
import { assertFitFile } from './fit-file.js';
import { openPartnerHiring } from './open-partner-hiring.js';
import { ALL_COMMANDS } from './operator/all-commands.js';
import { UsageError } from './operator/command.js';
import { inCommandWords } from './operator/command-words.js';
import { helpText } from './operator/help.js';
import { type ParsedCommand, parseCommand } from './operator/parse-command.js';
import { jsonText } from './operator/report.js';
import { readSettings } from './settings.js';
import { SetupError } from './setup-error.js';
import { unusableDatabase } from './unusable-database.js';

/** The exit code is 2 for invalid usage and 1 for other failures. */
const EXIT_FAILED = 1;
const EXIT_USAGE = 2;

async function run({ command, input, json, actor }: Extract<ParsedCommand, { kind: 'run' }>): Promise<void> {
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
  const partnerHiring = await openPartnerHiring(settings);
  try {
    const { operator } = partnerHiring;
    const report = await command.run(actor === null ? operator : operator.as(actor), input);
    console.log(json ? jsonText(report.value) : report.text);
    if (report.isBadNews) process.exitCode = EXIT_FAILED;
  } catch (error) {
    if (error instanceof StorageUnavailable) throw unusableDatabase(settings.databaseFile, error);
    if (!(error instanceof OperatorError)) throw error;
    const message = inCommandWords(error.message, ALL_COMMANDS, command);
    throw new OperatorError(error.code, message, { cause: error });
  } finally {
    await partnerHiring.close();
  }
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

function explain(error: unknown): number {
  if (error instanceof UsageError) {
    console.error(error.message);
    return EXIT_USAGE;
  }
  if (error instanceof OperatorError) console.error(`${error.code}: ${error.message}`);
  else if (error instanceof SetupError) console.error(error.message);
  else console.error(error);
  return EXIT_FAILED;
}

outliveReaders();
try {
  const parsed = parseCommand(ALL_COMMANDS, process.argv.slice(2));
  if (parsed.kind === 'help') console.log(helpText(ALL_COMMANDS, parsed.group, parsed.verb));
  else await run(parsed);
} catch (error) {
  process.exitCode = explain(error);
}
