import type { ActorInput, CommandName, Operator } from '@partner-hiring/core';
import type { Dialog } from '../ask-on-terminal.js';
import type { DatabaseTarget } from '../connection/database-target.js';
import type { CommandInput } from './command-input.js';
import type { CommandArgument, CommandOption, OptionValues } from './command-option.js';

/** The parts of a command that the help and the completion describe. */
interface CommandShape {
  /** The command of the library that it calls. */
  readonly library?: CommandName;
  /** By default, the summary of the library's command. */
  readonly summary?: string | undefined;
  /** The required arguments, in order. */
  readonly arguments?: readonly CommandArgument[];
  readonly options?: Readonly<Record<string, CommandOption>>;
}

/** A command of the operator, on the database of the server. */
export interface OperatorCommand extends CommandShape {
  /** Whether the command may encrypt or decrypt a signing secret. If so, the sealing key is checked first. */
  readonly usesSealingKey?: boolean;
  /** Whether the command prints only personal data. If so, it runs only with `--reveal`. */
  readonly needsReveal?: boolean;
  /** Runs the command. If it throws a UsageError or OperatorError, it has changed nothing. */
  run(operator: AnyOperator, input: CommandInput, dialog?: Dialog): Promise<Report>;
}

/** A command of the operator that runs until somebody stops it, such as `console`. */
export interface ServingCommand extends CommandShape {
  readonly usesSealingKey?: boolean;
  serve(operator: AnyOperator, input: CommandInput, context: RunContext): Promise<Report>;
}

/** A command without an operator, such as `completion`. It opens what it needs itself. */
export interface StandaloneCommand extends CommandShape {
  runAlone(input: CommandInput, context: RunContext): Promise<Report>;
}

export type Command = OperatorCommand | ServingCommand | StandaloneCommand;

/** The program that a command belongs to, and its output. */
export interface RunContext {
  /** The values of the program's options. */
  readonly globals: OptionValues;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Who acts, if `--as` says so. The operator of a command acts for it already. */
  readonly actor: ActorInput | null;
  /** Reads which database the command line names. @throws UsageError if it names none. */
  database(): DatabaseTarget;
  /** Prints a line before the command ends. */
  print(line: string): void;
}

/** The operator of any storage. The commands do not use its transactions. */
export type AnyOperator = Operator<never>;

/** The result of a command. */
export interface Report {
  readonly text: string;
  /** Printed by `--json`. */
  readonly value: unknown;
  /** If true, the command exits with 1. */
  readonly isBadNews?: boolean;
}

/** Commands on one noun. */
export interface CommandGroup<Each extends Command = OperatorCommand> {
  readonly summary: string;
  readonly commands: Readonly<Record<string, Each>>;
  /** The default command. */
  readonly standard: string;
}

/** The commands of a program: groups such as `jobs`, and single commands such as `timeline`. */
export interface CommandTable {
  readonly groups: Readonly<Record<string, CommandGroup<OperatorCommand | StandaloneCommand>>>;
  readonly singles: Readonly<Record<string, Command>>;
}
