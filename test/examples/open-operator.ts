import { onTestFinished } from 'vitest';
import { openPartnerHiring } from '../../examples/server/open-partner-hiring.js';
import { ALL_COMMANDS } from '../../examples/server/operator/all-commands.js';
import type { Report } from '../../examples/server/operator/command.js';
import { parseCommand } from '../../examples/server/operator/parse-command.js';
import { readSettings } from '../../examples/server/settings.js';
import { seededDatabase } from './seeded-database.js';

/** A command of the example's operator by its words. */
export function commandOf(words: readonly string[]) {
  const parsed = parseCommand(ALL_COMMANDS, words);
  if (parsed.kind === 'help') throw new Error(`${words.join(' ')} asks for help.`);
  return parsed;
}

/** The example's seed, and its operator's commands in this process. They end with the test. */
export async function openOperator() {
  const { env, seeded } = await seededDatabase();
  const settings = readSettings(env);
  const { operator, fetch, close } = await openPartnerHiring(settings);
  onTestFinished(close);
  const run = async (...words: readonly string[]): Promise<Report> => {
    const { command, input, actor } = commandOf(words);
    return command.run(actor === null ? operator : operator.as(actor), input);
  };
  return { run, operator, seeded, fetch, databaseFile: settings.databaseFile };
}
