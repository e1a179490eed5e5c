import type { Dialog } from '../ask-on-terminal.js';
import type { Report } from '../command/command.js';
import type { CommandInput } from '../command/command-input.js';

/** The option that answers the question in advance. */
export const YES_OPTION = { yes: { summary: 'Do it without asking' } } as const;

/** Something to confirm. */
export interface FirstQuestion {
  readonly question: string;
  /** How many rows change. */
  readonly count: number;
  /** The report after a refusal, such as `Nothing was erased. Applications found: 3.` */
  readonly refusal: string;
  /** The fields of a refusal for `--json`. */
  readonly value: Readonly<Record<string, unknown>>;
}

/**
 * Asks before an act that cannot be undone, unless the line has `--yes` or nothing would change. Returns null if the act
 * may run, and the report of a refusal otherwise.
 */
export async function askFirst(
  input: CommandInput,
  dialog: Dialog | undefined,
  { question, count, refusal, value }: FirstQuestion,
): Promise<Report | null> {
  const answer = input.isSet('yes') || count === 0 ? true : ((await dialog?.ask(question)) ?? null);
  if (answer === true) return null;
  const why = answer === null ? ' Nobody can answer here: check them and add --yes.' : '';
  return { text: `${refusal}${why}`, value, isBadNews: true };
}

/** Writes `1 application` and `3 applications`. */
export function counted(count: number, noun: string): string {
  return count === 1 ? `1 ${noun}` : `${count} ${noun}s`;
}
