import type { AttemptRecord, Delivery, DeliveryFilter, DeliveryState } from '@partner-hiring/core';
import type { CommandGroup, OperatorCommand } from '../../command/command.js';
import { UsageError } from '../../command/command-error.js';
import { libraryCommand } from '../../command/library-command.js';
import { allRows, listCommand } from '../../report/list-command.js';
import { type Columns, moment, tableReport } from '../../report/report.js';
import { terminalJsonLine, terminalText } from '../../report/terminal-text.js';
import {
  countTable,
  describeOutcome,
  duration,
  evidenceText,
  outcomeLine,
  sendingText,
  standingText,
} from './outcome.js';

/**
 * The length of a response in the table, so that each row fits on one line. `--json` prints the whole
 * response.
 */
const ANSWER_LENGTH = 60;

/** Says why there may be no attempts in a table. */
const NO_ATTEMPTS = 'No recorded attempts. A first attempt that succeeds is not in this table.';

/** The columns of a table of attempts. */
const ATTEMPT_COLUMNS: Columns<AttemptRecord> = {
  EVENT: ({ eventId }) => eventId,
  ATTEMPT: ({ cycle, number }) => (cycle === 1 ? number : `${number}, cycle ${cycle}`),
  ENDED: ({ endedAt }) => moment(endedAt),
  TOOK: ({ latencyMs }) => duration(latencyMs),
  OUTCOME: ({ outcome }) => describeOutcome(outcome),
  ANSWER: ({ outcome }) => outcomeLine(outcome).slice(0, ANSWER_LENGTH),
};

const COLUMNS: Columns<Delivery> = {
  KEY: ({ keyId }) => keyId,
  PARTNER: ({ keyLabel }) => keyLabel,
  EVENT: ({ eventId }) => eventId,
  TYPE: ({ type }) => type,
  RECORDED: ({ eventAt }) => moment(eventAt),
  STATE: (delivery) => delivery.state,
  ATTEMPTS: ({ attempts: made }) => made,
  NEXT: ({ dueAt, pause }) => (pause === null ? moment(dueAt) : `held since ${moment(pause.pausedAt)}`),
  'LAST OUTCOME': ({ lastOutcome }) => (lastOutcome === null ? '-' : describeOutcome(lastOutcome)),
  TOOK: ({ lastLatencyMs }) => duration(lastLatencyMs),
  DELIVERED: ({ evidence }) => evidenceText(evidence),
};

const list = listCommand('deliveries.list', {
  complete: (filter): DeliveryFilter =>
    isWide(filter) && filter.state === undefined ? { ...filter, state: 'pending' } : filter,
  columns: COLUMNS,
  empty: 'No deliveries.',
  end: (filter) => (isWide(filter) ? hiddenText(filter.state) : ''),
});

/** Whether no option but the state limits the list. */
function isWide({ keyId, partnerId, applicationId, onlyFailing, waits }: DeliveryFilter): boolean {
  return [keyId, partnerId, applicationId, onlyFailing, waits].every((choice) => choice === undefined);
}

const dead = listCommand('deliveries.list', {
  summary: 'Lists dead letters: deliveries with ten failed attempts',
  without: ['state', 'onlyFailing', 'waits'],
  complete: (filter): DeliveryFilter => ({ ...filter, state: 'dead' }),
  columns: COLUMNS,
  empty: 'No dead letters.',
});

const show = libraryCommand(
  'deliveries.find',
  (details) => {
    const { text } = tableReport(details.attempts, ATTEMPT_COLUMNS, NO_ATTEMPTS);
    const body = terminalJsonLine(details.event.body);
    return { value: details, text: `${body}\n\n${standingText(details)}\n\n${text}` };
  },
  { needs: ['keyId'], idsMustExist: true },
);

const attempts = listCommand('deliveries.listAttempts', { columns: ATTEMPT_COLUMNS, empty: NO_ATTEMPTS });

const count: OperatorCommand = {
  library: 'deliveries.count',
  run: async (operator) => {
    const found = await operator.deliveries.count();
    const endpoints = await allRows(operator.endpoints.each());
    return countTable(found, new Map(endpoints.map(({ keyId, keyLabel }) => [keyId, keyLabel])));
  },
};

const resend = libraryCommand(
  'deliveries.resend',
  (result, { partnerId, dryRun = false }) => {
    const { operation, keys, missing } = result;
    const text =
      partnerId !== undefined && operation !== null
        ? `The worker resends them, one key at a time: operations show ${operation.id}`
        : sendingText(result, dryRun);
    const lines = [
      text,
      ...keys.map(({ keyId, count: ofKey }) => `${keyId}: ${ofKey}`),
      ...missing.map((id) => `No event ${terminalText(id)}: it is unknown, or no longer stored.`),
    ];
    return { value: result, text: lines.join('\n'), isBadNews: missing.length > 0 };
  },
  {
    adds: {
      options: { event: { summary: 'This event of the key', value: 'ID', isRepeatable: true } },
      read: (input) => {
        const eventIds = input.optionIds('event');
        return eventIds === undefined ? {} : { eventIds };
      },
    },
    check: ({ keyId, partnerId, eventIds, since, only }) => {
      if ((keyId === undefined) === (partnerId === undefined))
        throw new UsageError('Pass either --key ID or --partner ID.');
      if (eventIds === undefined && since === undefined && only === undefined)
        throw new UsageError('Pass --event ID, --since TIME or --only undelivered.');
    },
  },
);

const cancel = libraryCommand('deliveries.cancel', ({ changed }) =>
  changed ? 'Cancelled.' : 'Unchanged: the delivery was already cancelled.',
);

/** Commands on deliveries. */
export const deliveryGroup: CommandGroup = {
  summary: 'Webhook deliveries',
  standard: 'count',
  commands: { count, list, dead, show, attempts, resend, cancel },
};

/** Says what the list leaves out if it is not of one key. */
function hiddenText(chosen: DeliveryState | undefined): string {
  if (chosen === 'pending') {
    return 'Only pending deliveries are listed. To list others, use --state delivered|dead|cancelled, or --key ID.';
  }
  if (chosen !== 'delivered') return '';
  return 'Events that succeeded at their first attempt are not listed. To list them, use --key ID.';
}

const events = listCommand('events.list', {
  columns: {
    RECORDED: ({ at }) => moment(at),
    KEY: ({ keyLabel }) => keyLabel,
    EVENT: ({ id }) => id,
    TYPE: ({ type }) => type,
    BODY: ({ body }) => terminalJsonLine(body),
  },
  empty: 'No events.',
});

/** Commands on the event logs. */
export const eventGroup: CommandGroup = {
  summary: 'Events that partners fetch, and that webhooks send',
  standard: 'list',
  commands: { list: events },
};
