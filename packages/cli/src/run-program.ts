import { type Operator, OperatorError, StorageUnavailable } from '@partner-hiring/core';
import { isError } from '@partner-hiring/core/contract';
import { type Ask, askOnTerminal, type Dialog } from './ask-on-terminal.js';
import type { AnyOperator, Command, OperatorCommand, Report, RunContext } from './command/command.js';
import { CommandError, UsageError } from './command/command-error.js';
import type { OptionValues } from './command/command-option.js';
import { inCommandWords } from './command/command-words.js';
import type { Program } from './command/commander-program.js';
import { parseCommandLine, type RunLine } from './command/parse-command-line.js';
import type { ProcessEnvironment } from './connection/connection-options.js';
import type { DatabaseTarget } from './connection/database-target.js';
import { maskResults } from './personal-data/mask-results.js';
import { recordReveal } from './personal-data/record-reveal.js';
import { jsonText } from './report/report.js';
import { terminalLines, terminalText } from './report/terminal-text.js';
import { createWithholder } from './report/withhold-secrets.js';

/** An operator, and how to close what it uses. A `PartnerHiring` is one. */
export interface OpenedOperator {
  readonly operator: Operator<never>;
  /** Called once, when the command has ended. */
  close(): Promise<void>;
}

/** Where a command line prints. Each text is one or more lines, without the last line break. */
export interface CommandLineOutput {
  /** Prints results. */
  out(text: string): void;
  /** Prints errors and warnings. */
  error(text: string): void;
}

/** One run of a program. */
export interface ProgramRun {
  readonly program: Program;
  readonly argv: readonly string[];
  readonly output: CommandLineOutput;
  /** Opens the operator for a command that needs one. */
  open(line: RunLine): Promise<OpenedOperator>;
  /** Reads which database the command line names, for a command without an operator. */
  readTarget(globals: OptionValues): DatabaseTarget;
  readonly env: ProcessEnvironment;
  /** Returns one line on an error, with its fix. Null leaves it to the program. */
  describeError(error: unknown): string | null;
  /** Removes passwords from the text of an error that nobody described. */
  redact?(text: string): string;
  /** Asks before a command that cannot be undone. Default: on the terminal. */
  readonly ask?: Ask | undefined;
  /** Secrets of the environment, which are never printed. */
  readonly secrets?: readonly string[];
}

/** The exit codes: bad news also exits with `FAILED`. */
export const EXIT_CODES = { fine: 0, failed: 1, usage: 2 } as const;

/** Runs a command line. Returns the exit code, and never rejects. */
export async function runProgram(run: ProgramRun): Promise<number> {
  return runSafely({ ...run, output: safeOutput(run) });
}

async function runSafely(run: ProgramRun): Promise<number> {
  const { program, argv, output } = run;
  try {
    const line = parseCommandLine(program, argv);
    if (line.kind === 'help') {
      output.out(line.text);
      return EXIT_CODES.fine;
    }
    return (await runLine(run, line)) ? EXIT_CODES.fine : EXIT_CODES.failed;
  } catch (error) {
    return explain(run, error);
  }
}

/**
 * Returns the output without characters that steer a terminal, and without typed secrets, such as a key in place of an
 * id.
 */
function safeOutput({ output, argv, secrets = [] }: ProgramRun): CommandLineOutput {
  const withhold = createWithholder([...argv, ...secrets]);
  const safe = (text: string) => terminalLines(withhold(text));
  return { out: (text) => output.out(safe(text)), error: (text) => output.error(safe(text)) };
}

/** Runs the command and prints its report. Returns whether it is good news. */
async function runLine(run: ProgramRun, line: RunLine): Promise<boolean> {
  const { program, output } = run;
  const { command, input, json } = line;
  const print = ({ text, value, isBadNews = false }: Report) => {
    output.out(json ? jsonText(value) : text);
    return !isBadNews;
  };
  if ('runAlone' in command) {
    return print(await command.runAlone(input, contextOf(run, line)));
  }
  const { operator, close } = await run.open(line);
  try {
    const typed = operator.through('command_line');
    const acting = line.actor === null ? typed : typed.as(line.actor);
    if ('serve' in command) return print(await command.serve(acting, input, contextOf(run, line)));
    const dialog = { ask: run.ask ?? askOnTerminal, warn: (text: string) => output.error(text) };
    return print(await runOnOperator(acting, command, line, dialog));
  } catch (error) {
    throw inWordsOf(program, command, error);
  } finally {
    await close();
  }
}

function contextOf({ env, output, readTarget }: ProgramRun, { globals, actor }: RunLine): RunContext {
  return {
    globals,
    actor,
    env,
    database: () => readTarget(globals),
    print: (line) => output.out(line),
  };
}

/** Rewrites an error of the library for the command line. */
function inWordsOf({ table }: Program, command: Command, error: unknown): unknown {
  if (!(error instanceof OperatorError)) return error;
  return new OperatorError(error.code, inCommandWords(error.message, table, command), { cause: error });
}

function explain(
  { argv, output, describeError, redact = (text) => text }: ProgramRun,
  error: unknown,
): number {
  if (error instanceof UsageError) {
    output.error(terminalText(error.message));
    return EXIT_CODES.usage;
  }
  const isDebug = argv.includes('--debug');
  const hint = isDebug ? '' : ' To see the stack, add --debug.';
  const text =
    describeError(error) ??
    describeKnown(error) ??
    redact(`Unexpected error: ${messageOf(error).replace(/\.$/, '')}.${hint}`);
  output.error(terminalText(text));
  if (isDebug) output.error(redact(isError(error) ? stackOf(error) : String(error)));
  return EXIT_CODES.failed;
}

function describeKnown(error: unknown): string | null {
  if (error instanceof OperatorError) return `${error.code}: ${error.message}`;
  if (error instanceof CommandError) return error.message;
  if (!(error instanceof StorageUnavailable)) return null;
  return isError(error.cause) ? `${error.message} Reason: ${messageOf(error.cause)}` : error.message;
}

function messageOf(error: unknown): string {
  const text = isError(error) ? error.message || error.name : String(error);
  return text.replace(/\s*\n\s*/g, ' ');
}

function stackOf(error: Error): string {
  const stack = error.stack ?? error.message;
  return isError(error.cause) ? `${stack}\nCaused by: ${stackOf(error.cause)}` : stack;
}

/**
 * Runs a command, and masks personal data in its report. If the command line reveals the data, first records in the
 * audit who saw whose data.
 */
export async function runOnOperator(
  operator: AnyOperator,
  command: OperatorCommand,
  { input, isRevealed }: Pick<RunLine, 'input' | 'isRevealed'>,
  dialog?: Dialog,
): Promise<Report> {
  if (!isRevealed) return command.run(maskResults(operator), input, dialog);
  const report = await command.run(operator, input, dialog);
  await recordReveal(operator, report.value, input);
  return report;
}
