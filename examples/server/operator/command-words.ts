import type { Command } from './command.js';
import type { CommandGroups } from './parse-command.js';

/** What the library's operator calls otherwise than the command line. */
const COMMANDS: Readonly<Record<string, string>> = {
  'applications.beginEvaluation': 'applications begin',
  'applications.fetchResumeAgain': 'applications fetch-resume',
  'applications.moveStage': 'applications stage',
  'deliveries.listAttempts': 'deliveries attempts',
  'deliveries.listDead': 'deliveries dead',
  'deliveries.redeliverSince': 'deliveries replay',
  'endpoints.rotateSecret': 'endpoints rotate-secret',
  'endpoints.setUrl': 'endpoints set',
  // There is no such command.
  'jobs.update': "the library's jobs.update",
};

/** Fields whose argument or option is called otherwise than what comes after their last point. */
const FIELDS: Readonly<Record<string, readonly string[]>> = {
  endpointUrl: ['endpoint'],
  'headcount.total': ['headcount'],
  id: ['job', 'company'],
};

/** What the library says of a command, in words that can be typed: `keys list` for `keys.list`. */
export function inCommandWords(message: string, groups: CommandGroups, command: Command): string {
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

function inputWord(field: string, { arguments: names = [], options = {} }: Command): string {
  for (const name of FIELDS[field] ?? [field.slice(field.lastIndexOf('.') + 1)]) {
    if (Object.hasOwn(options, name)) return `--${name}`;
    if (names.includes(name)) return `<${name}>`;
  }
  return field;
}
