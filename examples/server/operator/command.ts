import type { Operator } from '@partner-hiring/core';
import type { Database } from 'better-sqlite3';
import type { CommandInput } from './command-input.js';

/** A command. */
export interface Command {
  readonly summary: string;
  /** Names of the required arguments, in order. */
  readonly arguments?: readonly string[];
  readonly options?: Readonly<Record<string, CommandOption>>;
  /** Runs the command. If it throws a UsageError or OperatorError, it has changed nothing. */
  run(operator: Operator<Database>, input: CommandInput): Promise<Report>;
}

/** An option of a command. */
export interface CommandOption {
  readonly summary: string;
  /** The placeholder of the option's value in the help. A switch has none. */
  readonly value?: string;
  readonly isRequired?: boolean;
}

/** The result of a command. */
export interface Report {
  readonly text: string;
  /** Printed by `--json`. */
  readonly value: unknown;
  /** If true, the command exits with 1. */
  readonly isBadNews?: boolean;
}

/** Commands on one noun. */
export interface CommandGroup {
  readonly summary: string;
  readonly commands: Readonly<Record<string, Command>>;
  /** The default command. */
  readonly standard: string;
}

/** The command line is invalid. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
