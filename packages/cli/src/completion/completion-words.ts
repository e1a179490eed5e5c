import type { Command, CommandTable } from '../command/command.js';
import { type CommandOption, isSwitch } from '../command/command-option.js';

/** The program that a script completes. */
export interface CompletionSource {
  readonly programName: string;
  readonly table: CommandTable;
  readonly options: Readonly<Record<string, CommandOption>>;
}

/** A command with the words that stand before its arguments: `jobs list`, `timeline`, or `jobs` for its default command. */
export interface CompletedCommand {
  readonly path: string;
  readonly command: Command;
}

/** Lists the commands of a table. The default command of a group is listed twice. */
export function completedCommands({ groups, singles }: CommandTable): readonly CompletedCommand[] {
  const ofGroups = Object.entries(groups).flatMap(([group, { commands, standard }]) =>
    Object.entries(commands).flatMap(([verb, command]) => [
      { path: `${group} ${verb}`, command },
      ...(verb === standard ? [{ path: group, command }] : []),
    ]),
  );
  const ofSingles = Object.entries(singles).map(([path, command]) => ({ path, command }));
  return [...ofGroups, ...ofSingles];
}

/** A word that needs no quotes in any shell. */
const PLAIN = /^[A-Za-z0-9._-]+$/;

/** Joins words for a shell. Leaves out those such as `applicationFormAnswers.*`, which it would take for a pattern. */
export function plainWords(words: readonly string[]): string {
  return words.filter((word) => PLAIN.test(word)).join(' ');
}

/** The names of all options that take a value, without dashes. */
export function optionsWithValue(source: CompletionSource): readonly string[] {
  return optionsThat(source, (option) => !isSwitch(option));
}

/** The names of all options whose value is the path of a file, without dashes. */
export function fileOptions(source: CompletionSource): readonly string[] {
  return optionsThat(source, ({ isFile }) => isFile === true);
}

function optionsThat(
  { table, options }: CompletionSource,
  match: (option: CommandOption) => boolean,
): readonly string[] {
  const all = [options, ...completedCommands(table).map(({ command }) => command.options ?? {})];
  const names = all.flatMap((each) =>
    Object.entries(each).flatMap(([name, option]) => (match(option) ? [name] : [])),
  );
  return [...new Set(names)].sort();
}

/** An argument whose values are known. */
export interface CompletedArgument {
  readonly position: number;
  /** Null means the names of files. */
  readonly choices: readonly string[] | null;
}

/** Lists the arguments of a command whose values are known. */
export function completedArguments({ arguments: args = [] }: Command): readonly CompletedArgument[] {
  return args.flatMap((argument, position): readonly CompletedArgument[] => {
    if (typeof argument === 'string') return [];
    if (argument.choices !== undefined) return [{ position, choices: argument.choices }];
    return argument.isFile === true ? [{ position, choices: null }] : [];
  });
}

/** Writes names of options with their dashes. */
export function flagsOf(options: Readonly<Record<string, CommandOption>>): readonly string[] {
  return Object.keys(options).map((name) => `--${name}`);
}
