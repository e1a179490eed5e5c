import { type ParseArgsConfig, parseArgs } from 'node:util';
import type { ActorInput } from '@partner-hiring/core';
import { type Command, type CommandGroup, UsageError } from './command.js';
import { type CommandInput, createCommandInput } from './command-input.js';

/** Commands by group and verb. */
export type CommandGroups = Readonly<Record<string, CommandGroup>>;

/** A parsed command line. */
export type ParsedCommand =
  | { readonly kind: 'help'; readonly group: string | null; readonly verb: string | null }
  | {
      readonly kind: 'run';
      readonly command: Command;
      readonly input: CommandInput;
      readonly json: boolean;
      /** The actor for the audit. Null means the host. */
      readonly actor: ActorInput | null;
    };

/**
 * Parses `<group> <verb> <arguments> --options`. Every command takes `--json`, `--as` and `--reason`.
 *
 * @throws UsageError if the command line is invalid.
 */
export function parseCommand(groups: CommandGroups, argv: readonly string[]): ParsedCommand {
  const [groupName, ...afterGroup] = argv;
  if (groupName === undefined || isHelp(groupName)) return { kind: 'help', group: null, verb: null };
  const group = lookUp(groups, groupName, 'npm run operator -- --help');
  if (isHelp(afterGroup[0] ?? '')) return { kind: 'help', group: groupName, verb: null };

  const isVerbNamed = afterGroup[0] !== undefined && !afterGroup[0].startsWith('-');
  const verb = isVerbNamed ? String(afterGroup[0]) : group.standard;
  const command = lookUp(group.commands, verb, `npm run operator -- ${groupName} --help`);
  const rest = isVerbNamed ? afterGroup.slice(1) : afterGroup;
  if (rest.some(isHelp)) return { kind: 'help', group: groupName, verb };
  return { kind: 'run', command, ...readInput(command, rest) };
}

function isHelp(word: string): boolean {
  return word === '--help' || word === '-h';
}

function lookUp<Found>(table: Readonly<Record<string, Found>>, word: string, help: string): Found {
  const found = Object.hasOwn(table, word) ? table[word] : undefined;
  if (found !== undefined) return found;
  throw new UsageError(
    `Unknown command "${word}". Use one of ${Object.keys(table).join(', ')}. Help: ${help}`,
  );
}

function readInput(
  command: Command,
  words: readonly string[],
): Pick<Extract<ParsedCommand, { kind: 'run' }>, 'input' | 'json' | 'actor'> {
  const { values, positionals } = parseWords(command, words);
  const names = command.arguments ?? [];
  if (positionals.length < names.length) throw new UsageError(missingText(names, positionals));
  if (positionals.length > names.length) {
    throw new UsageError(`Unexpected argument "${positionals[names.length]}".`);
  }
  for (const [name, { isRequired }] of Object.entries(command.options ?? {})) {
    if (isRequired && values[name] === undefined) throw new UsageError(`--${name} is missing.`);
  }
  const args = Object.fromEntries(names.map((name, index) => [name, positionals[index]]));
  return {
    input: createCommandInput(args, values),
    json: values.json === true,
    actor: actorOf(values.as, values.reason),
  };
}

function actorOf(id: unknown, reason: unknown): ActorInput | null {
  if (typeof id === 'string') return typeof reason === 'string' ? { id, reason } : { id };
  if (reason !== undefined) throw new UsageError('--reason needs --as.');
  return null;
}

/**
 * Returns the error for missing arguments. It repeats the given arguments, because the missing one may not be
 * the last.
 */
function missingText(names: readonly string[], given: readonly string[]): string {
  const wanted = names.map((name) => `<${name}>`).join(' ');
  const only = given.length === 0 ? '' : ` Got only ${given.map((word) => `"${word}"`).join(' ')}.`;
  return names.length === 1 ? `${wanted} is missing.` : `Missing arguments. Expected ${wanted}.${only}`;
}

function parseWords(command: Command, words: readonly string[]) {
  const options: NonNullable<ParseArgsConfig['options']> = {
    json: { type: 'boolean' },
    as: { type: 'string' },
    reason: { type: 'string' },
  };
  for (const [name, { value }] of Object.entries(command.options ?? {})) {
    options[name] = { type: value === undefined ? 'boolean' : 'string' };
  }
  try {
    const { values, positionals } = parseArgs({ args: [...words], options, allowPositionals: true });
    return { values: values as Readonly<Record<string, string | boolean | undefined>>, positionals };
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}
