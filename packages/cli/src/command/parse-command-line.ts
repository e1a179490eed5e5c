import type { ActorInput } from '@partner-hiring/core';
import { CommanderError } from 'commander';
import type { Command } from './command.js';
import { UsageError } from './command-error.js';
import { type CommandInput, createCommandInput } from './command-input.js';
import type { OptionValues } from './command-option.js';
import { createCommanderProgram, type Program, valuesOf } from './commander-program.js';
import { didYouMean } from './did-you-mean.js';
import { repeated } from './repeated.js';

/** A parsed command line. */
export type ParsedLine =
  /** The line asks for help, or for the version. */
  { readonly kind: 'help'; readonly text: string } | RunLine;

/** A command line that runs a command. */
export interface RunLine {
  readonly kind: 'run';
  readonly command: Command;
  readonly input: CommandInput;
  /** The values of the options that all commands share. */
  readonly globals: OptionValues;
  readonly json: boolean;
  /** The actor for the audit. Null means the host. */
  readonly actor: ActorInput | null;
  /** Whether the command shows personal data. The actor then has a reason. */
  readonly isRevealed: boolean;
}

/**
 * Parses `<group> <command> <arguments> --options`. The options of the program may stand anywhere.
 *
 * @throws UsageError if the command line is invalid.
 */
export function parseCommandLine(program: Program, argv: readonly string[]): ParsedLine {
  const printed: string[] = [];
  const found: { line?: RunLine } = {};
  const root = createCommanderProgram(program, {
    onHelp: (text) => void printed.push(text),
    onCommand: (command, args, options) => {
      found.line = readLine(command, args, options, valuesOf(root, program.globals));
    },
  });
  try {
    const { operands, unknown } = root.parseOptions([...argv]);
    if (operands.length === 0 && unknown.length === 0) root.outputHelp();
    else {
      assertCommandExists(program, operands);
      root.parse([...argv], { from: 'user' });
    }
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
  }
  return found.line ?? { kind: 'help', text: printed.join('').trimEnd() };
}

/** Checks the names before commander does. Commander would pass an unknown name to the default command of its group. */
function assertCommandExists({ name, table }: Program, [first, second]: readonly string[]): void {
  if (first === undefined || first === 'help') return;
  const { groups, singles } = table;
  if (Object.hasOwn(singles, first)) return;
  const group = Object.hasOwn(groups, first) ? groups[first] : undefined;
  if (group === undefined) {
    const withVerb = Object.keys(groups).filter((each) => Object.hasOwn(groups[each]?.commands ?? {}, first));
    const known = Object.keys({ ...groups, ...singles });
    throw unknownCommand(
      first,
      known,
      `${name} --help`,
      withVerb.map((each) => `${each} ${first}`),
    );
  }
  if (second === undefined || Object.hasOwn(group.commands, second)) return;
  throw unknownCommand(second, Object.keys(group.commands), `${name} ${first} --help`);
}

/** @param meant - the commands that have the word as their second one. */
function unknownCommand(
  word: string,
  known: readonly string[],
  help: string,
  meant: readonly string[] = [],
): UsageError {
  const suggestion = meant.length > 0 ? ` Did you mean ${meant.join(' or ')}?` : didYouMean(word, known);
  const unknown = `Unknown command${repeated(word)}.${suggestion}`;
  return new UsageError(`${unknown} Use one of ${known.join(', ')}. Help: ${help}`);
}

function readLine(
  command: Command,
  args: OptionValues,
  options: OptionValues,
  globals: OptionValues,
): RunLine {
  const isRevealed = globals.reveal === true;
  if (isRevealed && (globals.as === undefined || globals.reason === undefined)) {
    throw new UsageError(
      '--reveal needs --as and --reason: the audit records who saw personal data, and why.',
    );
  }
  if ('run' in command && command.needsReveal === true && !isRevealed) {
    throw new UsageError('This command prints personal data. Add --reveal, --as and --reason.');
  }
  return {
    kind: 'run',
    command,
    input: createCommandInput(args, options),
    globals,
    json: globals.json === true,
    actor: actorOf(globals.as, globals.reason),
    isRevealed,
  };
}

function actorOf(id: unknown, reason: unknown): ActorInput | null {
  if (typeof id === 'string') return typeof reason === 'string' ? { id, reason } : { id };
  if (reason !== undefined) throw new UsageError('--reason needs --as.');
  return null;
}
