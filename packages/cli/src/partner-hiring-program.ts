import { type Logger, OperatorError } from '@partner-hiring/core';
import type { OptionValues } from './command/command-option.js';
import { loadCommandsFor, PROGRAM_COMMANDS } from './commands/all-commands.js';
import { completeWords } from './completion/completion-command.js';
import { ConnectionError } from './connection/connection-error.js';
import { CONNECTION_OPTIONS, type ProcessEnvironment } from './connection/connection-options.js';
import { type DatabaseTarget, readDatabaseTarget } from './connection/database-target.js';
import { describeDatabaseError } from './connection/describe-database-error.js';
import type { StoragePackages } from './connection/load-storage.js';
import { openDatabase } from './connection/open-database.js';
import { createRedactor } from './connection/redact.js';
import { secretsOf } from './connection/sealing-key.js';
import { terminalJson, terminalText } from './report/terminal-text.js';
import { type CommandLineOutput, EXIT_CODES, runProgram } from './run-program.js';

/** The process of the program `partner-hiring`. */
export interface ProgramProcess {
  readonly argv: readonly string[];
  readonly env: ProcessEnvironment;
  readonly output: CommandLineOutput;
  readonly version: string;
  /** Replaces the installed storages. For tests. */
  readonly packages?: StoragePackages;
}

/** Runs the program `partner-hiring`. Resolves to the exit code, and never rejects. */
export async function runPartnerHiring({
  argv,
  env,
  output,
  version,
  packages,
}: ProgramProcess): Promise<number> {
  const opened: { target?: DatabaseTarget } = {};
  const readTarget = (globals: OptionValues) => {
    opened.target = readDatabaseTarget(globals, env);
    return opened.target;
  };
  const [first, ...words] = argv;
  // The scripts of `completion` ask for words by this command, which the help does not name.
  const isCompleting = first === 'complete';
  // Each command that opens the storage reports why it cannot be loaded.
  const table = await loadCommandsFor(isCompleting ? words : argv, packages).catch(() => PROGRAM_COMMANDS);
  if (isCompleting) {
    for (const line of completeWords({ table, globals: CONNECTION_OPTIONS }, words)) output.out(line);
    return EXIT_CODES.fine;
  }
  return runProgram({
    program: { name: 'partner-hiring', table, globals: CONNECTION_OPTIONS, version },
    argv,
    output,
    env,
    readTarget,
    open: async ({ command, globals }) => {
      const target = readTarget(globals);
      const usesSealingKey = !('runAlone' in command) && command.usesSealingKey === true;
      const logger = createLogger(output);
      return openDatabase({ target, globals, env, logger, usesSealingKey, packages });
    },
    secrets: secretsOf(env),
    describeError: (error) => {
      if (error instanceof ConnectionError) return error.message;
      if (opened.target === undefined) return null;
      return describeDatabaseError(error, opened.target) ?? describeSettings(error);
    },
    redact: (text) =>
      opened.target?.kind === 'postgres' ? createRedactor(opened.target.connectionString)(text) : text,
  });
}

/** Options of `createPartnerHiring` that errors of the library mention, and the program's options that replace them. */
const SETTINGS: readonly (readonly [words: string, option: string])[] = [
  ['Pass `sandbox: true` to createPartnerHiring', 'If the server has `sandbox: true`, pass --sandbox'],
  ['set the option `decideFromReceived`', 'pass --decide-from-received if the server allows it'],
  [
    'for development, createPartnerHiring takes `allowPrivateNetworks: true`, which allows',
    'for development, --allow-private-networks allows',
  ],
];

function describeSettings(error: unknown): string | null {
  if (!(error instanceof OperatorError)) return null;
  const found = SETTINGS.find(([words]) => error.message.includes(words));
  return found === undefined ? null : `${error.code}: ${error.message.replace(...found)}`;
}

/** Prints warnings and errors of the library. */
function createLogger({ error }: CommandLineOutput): Logger {
  const print = (fields: Readonly<Record<string, unknown>>, message: string) =>
    error(terminalText(`${message} ${terminalJson(JSON.stringify(fields))}`));
  return { debug: () => {}, info: () => {}, warn: print, error: print };
}
