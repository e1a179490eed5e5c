import { UsageError } from './command/command-error.js';
import { COMMON_OPTIONS } from './command/global-options.js';
import { OPERATOR_TABLE } from './commands/all-commands.js';
import { type CommandLineOutput, type OpenedOperator, runProgram } from './run-program.js';
import { createStandardOutput } from './standard-output.js';

/** The options of {@link runCommandLine}. */
export interface CommandLineOptions {
  /** The words of the command line, such as `process.argv.slice(2)`. */
  readonly argv: readonly string[];
  /**
   * Opens the operator. Called for a valid command only, not for help. `close` is called when the command has ended.
   */
  open(): Promise<OpenedOperator>;
  /** The program's name in help and errors. Default: `partner-hiring`. */
  readonly programName?: string | undefined;
  /**
   * Returns one line about an error that `open` or a command threw. For null, the command line prints the error's
   * message, and the code of an `OperatorError`.
   */
  readonly describeError?: ((error: unknown) => string | null) | undefined;
  /** Where to print. Default: the standard output and standard error of this process. */
  readonly output?: CommandLineOutput | undefined;
  /**
   * Asks before a command that cannot be undone, such as `candidates erase` without `--yes`. Returns null if nobody can
   * answer. Default: asks on the terminal of this process.
   */
  readonly ask?: ((question: string) => Promise<boolean | null>) | undefined;
}

/**
 * Runs a command of the operator on an operator of the host, so that it has the host's options, such as its `secretBox`.
 * Resolves to the exit code: 0 for success, 1 for failures and bad news, 2 for an invalid command line. Never rejects.
 * @example
 * const code = await runCommandLine({
 *   argv: process.argv.slice(2),
 *   programName: 'npm run operator --',
 *   open: async () =>
 *     createPartnerHiring({
 *       storage: await createSqliteStorage({ file: 'partner-hiring.sqlite' }),
 *       secretKey: process.env.PARTNER_HIRING_SEALING_KEY ?? '',
 *     }),
 * });
 * if (code !== 0) process.exitCode = code;
 */
export function runCommandLine(options: CommandLineOptions): Promise<number> {
  const { argv, open, programName = 'partner-hiring', output = createStandardOutput() } = options;
  return runProgram({
    program: { name: programName, table: OPERATOR_TABLE, globals: COMMON_OPTIONS },
    argv,
    output,
    open,
    env: process.env,
    ask: options.ask,
    readTarget: () => {
      throw new UsageError('This program has a database of its own.');
    },
    describeError: options.describeError ?? (() => null),
  });
}
