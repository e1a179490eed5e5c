import type { AttemptRecord } from '@partner-hiring/core';
import type { Report } from '../../command/command.js';
import { type Columns, moment, tableReport } from '../../report/report.js';
import { describeOutcome, duration, outcomeLine } from './outcome.js';

/**
 * The length of a response in the table, so that each row fits on one line. `--json` prints the whole
 * response.
 */
const ANSWER_LENGTH = 60;

/** Says why there may be no attempts in a table. */
export const NO_ATTEMPTS = 'No recorded attempts. A first attempt that succeeds is not in this table.';

/** The columns of a table of attempts. */
export const ATTEMPT_COLUMNS: Columns<AttemptRecord> = {
  EVENT: ({ eventId }) => eventId,
  ATTEMPT: ({ cycle, number }) => (cycle === 1 ? number : `${number}, cycle ${cycle}`),
  ENDED: ({ endedAt }) => moment(endedAt),
  TOOK: ({ latencyMs }) => duration(latencyMs),
  OUTCOME: ({ outcome }) => describeOutcome(outcome),
  ANSWER: ({ outcome }) => outcomeLine(outcome).slice(0, ANSWER_LENGTH),
};

/** Renders attempts as a table. Without attempts, the text of the report is `empty`. */
export function attemptTable(attempts: readonly AttemptRecord[], empty: string): Report {
  return tableReport(attempts, ATTEMPT_COLUMNS, empty);
}
