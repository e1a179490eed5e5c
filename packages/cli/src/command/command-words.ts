import { OPERATOR_COMMANDS } from '@partner-hiring/core';
import type { Command, CommandTable } from './command.js';
import { argumentName } from './command-option.js';

/** Commands whose names differ from the names in the library. */
const COMMANDS: Readonly<Record<string, string>> = {
  'access.enableBootstrap': 'access bootstrap',
  'applications.beginEvaluation': 'applications begin',
  'applications.fetchResumeAgain': 'applications fetch-resume',
  'applications.moveStage': 'applications stage',
  'deliveries.listAttempts': 'deliveries attempts',
  'deliveries.redeliverSince': 'deliveries replay',
  'endpoints.listFailing': 'endpoints failing',
  'endpoints.rotateSecret': 'endpoints rotate-secret',
  'endpoints.setUrl': 'endpoints set',
  'inbox.listParked': 'inbox parked',
  'inbox.turnOff': 'inbox turn-off',
  'inbox.turnOn': 'inbox turn-on',
  'jobs.closeAll': 'jobs close-all',
  'jobs.markInternalOnly': 'jobs internal',
  'jobs.markPublic': 'jobs public',
  'jobs.publishInSteps': 'jobs import',
  'requests.listReads': 'requests reads',
  'jobs.update': "the library's jobs.update",
};

/** Fields of the library whose argument or option is not named after the last part of the field. */
const FIELDS: Readonly<Record<string, readonly string[]>> = {
  endpointUrl: ['endpoint'],
  'headcount.total': ['headcount'],
  id: ['job', 'company'],
};

/**
 * Returns the summary of a command: its own, or that of the library's command.
 * @param words - its group and its name, or its name alone.
 */
export function summaryOf({ summary }: Command, ...words: readonly string[]): string {
  if (summary !== undefined) return summary;
  const path = words.join(' ');
  const renamed = Object.entries(COMMANDS).find(([, inCommandLine]) => inCommandLine === path)?.[0];
  const name = renamed ?? words.join('.').replace(/\.show$/, '.find');
  const found = OPERATOR_COMMANDS.find((command) => command.name === name);
  if (found === undefined)
    throw new Error(`The command \`${path}\` needs a summary: the library has no ${name}.`);
  return found.summary;
}

/** Rewrites an error of the library for the command line: `keys.list` becomes `keys list`. */
export function inCommandWords(message: string, { groups }: CommandTable, command: Command): string {
  return message
    .replace(/\b([a-z]+)\.([a-zA-Z]+)\b/g, (word, group: string, verb: string) => {
      const commands = Object.hasOwn(groups, group) ? groups[group]?.commands : undefined;
      return (
        COMMANDS[word] ??
        (commands !== undefined && Object.hasOwn(commands, verb) ? `${group} ${verb}` : word)
      );
    })
    .replace(/(?<=[:;] )[a-zA-Z.]+(?= must )/g, (field) => inputWord(field, command));
}

function inputWord(field: string, { arguments: args = [], options = {} }: Command): string {
  const names = args.map(argumentName);
  for (const name of FIELDS[field] ?? [field.slice(field.lastIndexOf('.') + 1)]) {
    if (Object.hasOwn(options, name)) return `--${name}`;
    if (names.includes(name)) return `<${name}>`;
  }
  return field;
}
