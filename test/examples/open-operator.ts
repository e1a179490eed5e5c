import { onTestFinished } from 'vitest';
import { openPartnerHiring } from '../../examples/server/open-partner-hiring.js';
import { readSettings } from '../../examples/server/settings.js';
import type { OperatorCommand, Report } from '../../packages/cli/src/command/command.js';
import { COMMON_OPTIONS } from '../../packages/cli/src/command/global-options.js';
import { parseCommandLine, type RunLine } from '../../packages/cli/src/command/parse-command-line.js';
import { OPERATOR_TABLE } from '../../packages/cli/src/commands/all-commands.js';
import { runOnOperator } from '../../packages/cli/src/run-program.js';
import { seededDatabase } from './seeded-database.js';

const PROGRAM = { name: 'npm run operator --', table: OPERATOR_TABLE, globals: COMMON_OPTIONS };

/** A command of the example's operator by its words. */
export function commandOf(words: readonly string[]): RunLine & { readonly command: OperatorCommand } {
  const line = parseCommandLine(PROGRAM, words);
  if (line.kind === 'help') throw new Error(`${words.join(' ')} asks for help.`);
  const { command } = line;
  if (!('run' in command)) throw new Error(`${words.join(' ')} needs no operator.`);
  return { ...line, command };
}

/** The example's seed, and its operator's commands in this process. They end with the test. */
export async function openOperator() {
  const { env, seeded } = await seededDatabase();
  const settings = readSettings(env);
  const { operator, fetch, worker, close } = await openPartnerHiring(settings);
  onTestFinished(close);
  const run = async (...words: readonly string[]): Promise<Report> => {
    const line = commandOf(words);
    return runOnOperator(line.actor === null ? operator : operator.as(line.actor), line.command, line);
  };
  return { run, operator, seeded, fetch, worker, databaseFile: settings.databaseFile };
}
