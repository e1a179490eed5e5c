import type { CommandName } from '@partner-hiring/core';
import { OPERATOR_COMMANDS } from '@partner-hiring/core';
import type { Command, CommandTable } from './command.js';
import { commandFacts } from './command-form.js';
import { argumentName } from './command-option.js';
import { wordInMessage } from './field-words.js';
import { ID_KINDS } from './id-kinds.js';

/** Returns the summary of a command: its own, or that of the library's command. */
export function summaryOf({ summary, library }: Pick<Command, 'summary' | 'library'>): string {
  if (summary !== undefined) return summary;
  if (library === undefined)
    throw new Error('A command that calls no command of the library needs a summary.');
  return commandFacts(library).summary;
}

/**
 * Rewrites an error of the library for the command line: `keys.list` becomes `keys list`, and the name of a field becomes
 * the option or argument as it is typed.
 */
export function inCommandWords(message: string, table: CommandTable, command: Command): string {
  const typed = (field: string) => inputWord(field, command);
  return message
    .replace(/\b[a-z]+(?:\.[a-zA-Z]+)+\b/g, (name) => (isCommand(name) ? commandWords(name, table) : name))
    .replace(/`([a-zA-Z]+)`/g, (quoted, field: string) => typed(field) ?? quoted)
    .replace(/(?<=[:;] )[a-z]+\[\d+\]\.([a-zA-Z]+)(?= must )/g, (path, field: string) => typed(field) ?? path)
    .replace(/(?<=[:;] )[a-zA-Z.]+(?= (?:cannot|is|must|only) )/g, (field) => typed(field) ?? field)
    .replace(/\b[a-z]+(?:[A-Z][a-zA-Z]*)+\b/g, (field) => typed(field) ?? field)
    .replace(/(?<=[:;] )the input(?= must )/g, 'the command line');
}

function isCommand(name: string): name is CommandName {
  return OPERATOR_COMMANDS.some((command) => command.name === name);
}

function commandWords(name: CommandName, { groups }: CommandTable): string {
  for (const [group, { commands }] of Object.entries(groups)) {
    const found = Object.entries(commands).find(([, { library }]) => library === name);
    if (found !== undefined) return `${group} ${found[0]}`;
  }
  return `the library's ${name}`;
}

/** Returns the option or argument for a field as it is typed, or null. An id of the library has the name of its kind. */
function inputWord(field: string, { arguments: args = [], options = {} }: Command): string | null {
  const names = args.map(argumentName);
  for (const name of field === 'id' ? Object.keys(ID_KINDS) : [wordInMessage(field)]) {
    if (Object.hasOwn(options, name)) return `--${name}`;
    if (names.includes(name)) return `<${name}>`;
  }
  return null;
}
