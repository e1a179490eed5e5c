import type { Operator } from '@partner-hiring/core';
import type { Database } from 'better-sqlite3';
import type { CommandInput } from './command-input.js';

/** One thing that an operator can ask for. */
export interface Command {
  readonly summary: string;
  /** The names of its arguments, in their order; all of them are needed. */
  readonly arguments?: readonly string[];
  readonly options?: Readonly<Record<string, CommandOption>>;
  /** @throws UsageError or OperatorError; then nothing was changed. */
  run(operator: Operator<Database>, input: CommandInput): Promise<Report>;
}

/** An option of a command. */
export interface CommandOption {
  readonly summary: string;
  /** What stands for its value in the help; a switch has none. */
  readonly value?: string;
  readonly isRequired?: boolean;
}

/** What a command answers: for people, and for programs. */
export interface Report {
  readonly text: string;
  /** What `--json` prints. */
  readonly value: unknown;
  /** That what it tells of went wrong: the command's exit code then says so. */
  readonly isBadNews?: boolean;
}

/** The commands about one kind of thing. */
export interface CommandGroup {
  readonly summary: string;
  readonly commands: Readonly<Record<string, Command>>;
  /** The command that runs if none is named. */
  readonly standard: string;
}

/** The command line is not one that is understood. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
