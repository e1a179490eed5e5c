import type { Command, CommandTable } from './command.js';
import { argumentName } from './command-option.js';

/** Commands whose names differ from the names in the library. */
const COMMANDS: Readonly<Record<string, string>> = {
  'applications.beginEvaluation': 'applications begin',
  'applications.fetchResumeAgain': 'applications fetch-resume',
  'applications.moveStage': 'applications stage',
  'deliveries.listAttempts': 'deliveries attempts',
  'deliveries.redeliverSince': 'deliveries replay',
  'endpoints.rotateSecret': 'endpoints rotate-secret',
  'endpoints.setUrl': 'endpoints set',
  'jobs.closeAll': 'jobs close-all',
  'jobs.publishInSteps': 'jobs import',
  'jobs.update': "the library's jobs.update",
};

/** Fields of the library whose argument or option is not named after the last part of the field. */
const FIELDS: Readonly<Record<string, readonly string[]>> = {
  endpointUrl: ['endpoint'],
  'headcount.total': ['headcount'],
  id: ['job', 'company'],
};

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
