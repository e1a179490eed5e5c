import { Argument, Command as CommanderCommand, type CommanderError, Option } from 'commander';
import type { Command, CommandTable } from './command.js';
import { UsageError } from './command-error.js';
import {
  argumentName,
  type CommandArgument,
  type CommandOption,
  isSwitch,
  type OptionValues,
  placeholderOf,
} from './command-option.js';
import { summaryOf } from './command-words.js';
import { suggestionOf } from './did-you-mean.js';
import type { GlobalOptions } from './global-options.js';
import { oneOfChoices } from './one-of.js';
import { mayRepeat, repeated } from './repeated.js';

/** A program with its commands and options. */
export interface Program {
  /** The name in the help and in errors, such as `npm run operator --`. */
  readonly name: string;
  readonly table: CommandTable;
  readonly globals: GlobalOptions;
  /** Printed by `--version`. Without it, the option does not exist. */
  readonly version?: string;
}

/** Where commander reports what it has parsed. */
export interface ProgramEvents {
  /** Called for a valid command, with the values of its arguments and options by name. */
  onCommand(command: Command, args: OptionValues, options: OptionValues): void;
  onHelp(text: string): void;
}

/** The width of the help if the output is not a terminal. */
const HELP_WIDTH = 110;

/**
 * Builds commander's commands from the table. Nothing is printed, and the process does not exit: an invalid command line
 * throws a UsageError.
 */
export function createCommanderProgram(program: Program, events: ProgramEvents): CommanderCommand {
  const { name, table, globals, version } = program;
  const root: CommanderCommand = new CommanderCommand(name)
    .description('Operates the partner API on the database of its server, which may be running.')
    .usage('<group> <command> [arguments] [options]')
    .helpOption('-h, --help', 'Print this help')
    .helpCommand('help [command]', 'Print the help of a command')
    .addHelpText('after', `\nEach group and command has --help, e.g. ${name} jobs --help`)
    .configureHelp({ showGlobalOptions: true })
    .configureOutput({
      writeOut: (text) => events.onHelp(text),
      writeErr: () => {},
      outputError: () => {},
      getOutHelpWidth: () => process.stdout.columns ?? HELP_WIDTH,
    })
    .exitOverride((error) => refuse(error, `${name} --help`));
  if (version !== undefined) root.version(version, '-V, --version', 'Print the version');
  addOptions(root, globals);
  for (const [group, content] of Object.entries(table.groups)) addGroup(root, group, content, events);
  for (const [single, command] of Object.entries(table.singles)) {
    addCommand(root, single, command, events).helpGroup('Commands:');
  }
  return root;
}

function addGroup(
  root: CommanderCommand,
  name: string,
  { summary, commands, standard }: CommandTable['groups'][string],
  events: ProgramEvents,
): void {
  const group = root
    .command(name)
    .helpGroup('Groups:')
    .summary(`${summary}: ${Object.keys(commands).join(', ')}`)
    .description(`${summary}. Default command: ${standard}`)
    .usage('<command> [arguments] [options]')
    .helpCommand(false)
    .exitOverride((error) => refuse(error, `${root.name()} ${name} --help`));
  for (const [verb, command] of Object.entries(commands)) {
    addCommand(group, verb, command, events, verb === standard);
  }
}

function addCommand(
  parent: CommanderCommand,
  name: string,
  command: Command,
  events: ProgramEvents,
  isDefault = false,
): CommanderCommand {
  const { arguments: args = [], options = {} } = command;
  const summary = summaryOf(command);
  const names = args.map(argumentName);
  const added: CommanderCommand = parent
    .command(name, { isDefault })
    .summary(summary)
    .description(`${summary}.`)
    .exitOverride((error) => refuseCommand(error, names, added));
  for (const argument of args) added.addArgument(createArgument(argument));
  addOptions(added, options);
  added.action(() => {
    const values = Object.fromEntries(
      args.map((each, index) => [argumentName(each), valueAt(each, added.args, index)]),
    );
    events.onCommand(command, values, valuesOf(added, options));
  });
  return added;
}

function valueAt(argument: CommandArgument, given: readonly string[], index: number): string | undefined {
  return isList(argument) ? given.slice(index).join(' ') : given[index];
}

function isList(argument: CommandArgument): boolean {
  return typeof argument !== 'string' && argument.isList === true;
}

/** Returns the values of the options by their names. Commander stores them under names in camel case. */
export function valuesOf(
  command: CommanderCommand,
  options: Readonly<Record<string, CommandOption>>,
): OptionValues {
  const values = command.opts();
  return Object.fromEntries(
    Object.entries(options).map(([name, option]) => [
      name,
      values[createOption(name, option).attributeName()],
    ]),
  );
}

function addOptions(command: CommanderCommand, options: Readonly<Record<string, CommandOption>>): void {
  for (const [name, option] of Object.entries(options)) command.addOption(createOption(name, option));
}

function createOption(name: string, option: CommandOption): Option {
  const { summary, choices, isRepeatable = false } = option;
  const flags = isSwitch(option) ? `--${name}` : `--${name} <${placeholderOf(option)}>`;
  const created = new Option(flags, summary);
  if (choices === undefined && !isRepeatable) return created;
  return created.argParser((text, before: string | undefined) => {
    const value = choices === undefined ? text : oneOfChoices(`--${name}`, text, choices);
    return isRepeatable && before !== undefined ? `${before} ${value}` : value;
  });
}

function createArgument(argument: CommandArgument): Argument {
  if (typeof argument === 'string') return new Argument(`<${argument}>`);
  const { name, choices } = argument;
  if (choices === undefined) return new Argument(isList(argument) ? `<${name}...>` : `<${name}>`);
  const created = new Argument(`<${name}>`, choices.join(', '));
  return created.argParser((text) => oneOfChoices(`<${name}>`, text, choices));
}

/** Rethrows what is no error, such as printed help, for `parseCommandLine`. */
function refuse(error: CommanderError, help: string): never {
  if (error.exitCode === 0) throw error;
  const [text = ''] = error.message.replace(/^error: /, '').split('\n');
  const said =
    error.code === 'commander.unknownOption'
      ? unknownOption(text)
      : `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
  throw new UsageError(`${said}${suggestionOf(error)} Help: ${help}`);
}

/** Commander repeats the whole word, with its value. */
function unknownOption(text: string): string {
  const [, name = ''] = /^unknown option '([^=]*).*'$/s.exec(text) ?? [];
  return mayRepeat(name) ? `Unknown option '${name}'.` : 'Unknown option.';
}

function refuseCommand(error: CommanderError, names: readonly string[], command: CommanderCommand): never {
  if (error.code === 'commander.missingArgument') throw new UsageError(missingText(names, command.args));
  if (error.code === 'commander.excessArguments') {
    throw new UsageError(`Unexpected argument${repeated(command.args[names.length] ?? '')}.`);
  }
  return refuse(error, `${pathOf(command)} --help`);
}

function pathOf(command: CommanderCommand): string {
  return command.parent === null ? command.name() : `${pathOf(command.parent)} ${command.name()}`;
}

/**
 * Returns the error for missing arguments. It repeats the given arguments, because the missing one may not be
 * the last.
 */
function missingText(names: readonly string[], given: readonly string[]): string {
  const wanted = names.map((name) => `<${name}>`).join(' ');
  const only =
    given.length > 0 && given.every(mayRepeat)
      ? ` Got only${given.map((word) => repeated(word)).join('')}.`
      : '';
  return names.length === 1 ? `${wanted} is missing.` : `Missing arguments. Expected ${wanted}.${only}`;
}
