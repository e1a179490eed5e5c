import type { Operator } from '@partner-hiring/core';
import type { Database } from 'better-sqlite3';
import type { CommandInput } from './command-input.js';

/** A command. */
export interface Command {
  readonly summary: string;
  /** Names of the required arguments, in order. */
  readonly arguments?: readonly string[];
  readonly options?: Readonly<Record<string, CommandOption>>;
  /** @throws UsageError or OperatorError without changing anything. */
  run(operator: Operator<Database>, input: CommandInput): Promise<Report>;
}

/** An option of a command. */
export interface CommandOption {
  readonly summary: string;
  /** The placeholder of the value in the help. Omitted for a switch. */
  readonly value?: string;
  readonly isRequired?: boolean;
}

/** The result of a command. */
export interface Report {
  readonly text: string;
  /** Printed by `--json`. */
  readonly value: unknown;
  /** Makes the command exit with 1. */
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
