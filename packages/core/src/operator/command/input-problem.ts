import { OperatorError } from '../../errors.js';

const PROBLEMS_NAMED = 10;

/**
 * An input that a command does not take. A problem is the name of the field and the rule, such as `limit must be an integer`.
 * The host gets it as an `OperatorError`, with the name of the command.
 */
export class InputProblem extends Error {
  readonly problems: readonly string[];

  constructor(...problems: readonly string[]) {
    super(problems.join('; '));
    this.problems = problems;
  }
}

/** Returns the error for the host if the error is an `InputProblem`, and other errors as they are. */
export function namedError(command: string, error: unknown): unknown {
  if (!(error instanceof InputProblem)) return error;
  const { problems } = error;
  const named = problems.slice(0, PROBLEMS_NAMED).join('; ');
  const rest = problems.length - PROBLEMS_NAMED;
  const text = `${command}: ${named}${rest > 0 ? `; and ${rest} more` : ''}`;
  return new OperatorError('INVALID_INPUT', `${text.replace(/\.$/, '')}. Nothing was changed.`);
}

/** @throws InputProblem if more than one of the values is given. */
export function assertNotCombined(values: Readonly<Record<string, unknown>>, fix: string): void {
  const given = Object.keys(values).filter((name) => (values[name] ?? undefined) !== undefined);
  if (given.length < 2) return;
  throw new InputProblem(`${given.map((name) => `\`${name}\``).join(' and ')} cannot be combined. ${fix}`);
}
