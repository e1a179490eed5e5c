import { type DeliveryState, type ListedDelivery, OperatorError } from '@partner-hiring/core';
import type { CommandGroup, OperatorCommand } from '../../command/command.js';
import type { CommandInput } from '../../command/command-input.js';
import { listCommand } from '../../report/list-command.js';
import { allRows } from '../../report/pages.js';
import { type Columns, moment, sentence } from '../../report/report.js';
import { terminalJsonLine } from '../../report/terminal-text.js';
import { keyMustExist, partnerMustExist } from '../must-exist.js';
import { ATTEMPT_COLUMNS, attemptTable, NO_ATTEMPTS } from './attempt-table.js';
import { countTable } from './count-table.js';
import { EVENT_TYPES } from './event-types.js';
import { describeOutcome, duration, evidenceText, sendingText, standingText } from './outcome.js';

const STATES = ['pending', 'delivered', 'dead', 'cancelled'] as const satisfies readonly DeliveryState[];

const RANGE_OPTIONS = {
  since: { value: 'TIME', summary: 'Start, inclusive, e.g. 2026-01-31T09:00Z' },
  until: { value: 'TIME', summary: 'End, exclusive' },
} as const;

const COLUMNS: Columns<ListedDelivery> = {
  KEY: ({ keyId }) => keyId,
  PARTNER: ({ keyLabel }) => keyLabel,
  EVENT: ({ eventId }) => eventId,
  TYPE: ({ type }) => type,
  RECORDED: ({ eventAt }) => moment(eventAt),
  STATE: (delivery) => delivery.state,
  ATTEMPTS: ({ attempts: made }) => made,
  NEXT: ({ dueAt }) => moment(dueAt),
  'LAST OUTCOME': ({ lastOutcome }) => (lastOutcome === null ? '-' : describeOutcome(lastOutcome)),
  TOOK: ({ lastLatencyMs }) => duration(lastLatencyMs),
  DELIVERED: ({ evidence }) => evidenceText(evidence),
};

const list = listCommand({
  options: {
    key: { value: 'ID', summary: 'Only those of this key' },
    partner: { value: 'ID', summary: 'Only those of the keys of this partner' },
    application: { value: 'ID', summary: 'Only those of events of this application' },
    type: { choices: EVENT_TYPES, summary: 'Only those of events of this type' },
    state: { choices: STATES, summary: 'Only in this state; default pending without another choice' },
    failing: { summary: 'Only those that wait for another attempt after a failure' },
    ...RANGE_OPTIONS,
  },
  read: async (operator, input, page) => {
    const keyId = input.optionId('key');
    const partnerId = input.optionId('partner');
    if (keyId !== undefined) await keyMustExist(operator, keyId);
    if (partnerId !== undefined) await partnerMustExist(operator, partnerId);
    return operator.deliveries.list({
      keyId,
      partnerId,
      applicationId: input.optionId('application'),
      type: input.optionChoice('type', EVENT_TYPES),
      onlyFailing: input.isSet('failing') || undefined,
      state: input.optionChoice('state', STATES) ?? (isWide(input) ? 'pending' : undefined),
      ...rangeOf(input),
      ...page,
    });
  },
  columns: COLUMNS,
  empty: 'No deliveries.',
  end: (input) => (isWide(input) ? hiddenText(input.optionChoice('state', STATES)) : ''),
});

/** Whether no option but the state limits the list. */
function isWide(input: CommandInput): boolean {
  const owners = [input.optionId('key'), input.optionId('partner'), input.optionId('application')];
  return owners.every((id) => id === undefined) && !input.isSet('failing');
}

const dead = listCommand({
  summary: 'Lists dead letters: deliveries with ten failed attempts',
  options: { key: { value: 'ID', summary: 'Only those of this key' } },
  read: async (operator, input, page) => {
    const keyId = input.optionId('key');
    if (keyId !== undefined) await keyMustExist(operator, keyId);
    return operator.deliveries.list({ state: 'dead', keyId, ...page });
  },
  columns: COLUMNS,
  empty: 'No dead letters.',
});

const show: OperatorCommand = {
  arguments: ['key', 'event'],
  run: async (operator, input) => {
    const [keyId, eventId] = [input.id('key'), input.id('event')];
    await keyMustExist(operator, keyId);
    const details = await operator.deliveries.find({ keyId, eventId });
    if (details === null) {
      throw new OperatorError(
        'DELIVERY_NOT_FOUND',
        `Key ${keyId} has no event ${eventId}. Run: deliveries list`,
      );
    }
    const { event, attempts } = details;
    const { text } = attemptTable(attempts, NO_ATTEMPTS);
    return { value: details, text: `${terminalJsonLine(event.body)}\n\n${standingText(details)}\n\n${text}` };
  },
};

const attempts = listCommand({
  arguments: ['key'],
  options: RANGE_OPTIONS,
  read: async (operator, input, page) => {
    const keyId = input.id('key');
    await keyMustExist(operator, keyId);
    return operator.deliveries.listAttempts({ keyId, ...rangeOf(input), ...page });
  },
  columns: ATTEMPT_COLUMNS,
  empty: NO_ATTEMPTS,
});

const count: OperatorCommand = {
  run: async (operator) => {
    const found = await operator.deliveries.count();
    const endpoints = await allRows(operator.endpoints.list, (page) => page.items);
    return countTable(found, new Map(endpoints.map(({ keyId, keyLabel }) => [keyId, keyLabel])));
  },
};

const DRY_RUN = {
  'dry-run': { summary: 'Only counts what would be sent' },
} as const;

const redeliver: OperatorCommand = {
  summary: 'Sends an event now, or with the event "all" every dead letter and retry of a key',
  arguments: ['key', 'event'],
  options: DRY_RUN,
  run: async (operator, input) => {
    const keyId = input.id('key');
    const dryRun = input.isSet('dry-run');
    if (input.argument('event') === 'all') {
      const outcome = await operator.deliveries.redeliverAll({ keyId, dryRun });
      return sentence(sendingText(outcome, dryRun), outcome);
    }
    const outcome = await operator.deliveries.redeliver({ keyId, eventId: input.id('event'), dryRun });
    if (outcome.count === 0) return sentence('Unchanged: the delivery is pending and due.', outcome);
    return sentence(dryRun ? 'Would redeliver it.' : 'Redelivering.', outcome);
  },
};

const replay: OperatorCommand = {
  arguments: ['key'],
  options: { since: { ...RANGE_OPTIONS.since, isRequired: true }, until: RANGE_OPTIONS.until, ...DRY_RUN },
  run: async (operator, input) => {
    const [since = 0, until] = [input.optionInstant('since'), input.optionInstant('until')];
    const dryRun = input.isSet('dry-run');
    const window = { keyId: input.id('key'), since, until, dryRun };
    const outcome = await operator.deliveries.redeliverSince(window);
    return sentence(sendingText(outcome, dryRun), outcome);
  },
};

const cancel: OperatorCommand = {
  arguments: ['key', 'event'],
  run: async (operator, input) => {
    const outcome = await operator.deliveries.cancel({ keyId: input.id('key'), eventId: input.id('event') });
    return sentence(
      outcome.changed ? 'Cancelled.' : 'Unchanged: the delivery was already cancelled.',
      outcome,
    );
  },
};

/** Commands on deliveries. */
export const deliveryGroup: CommandGroup = {
  summary: 'Webhook deliveries',
  standard: 'count',
  commands: { count, list, dead, show, attempts, redeliver, replay, cancel },
};

/** Says what the list leaves out if it is not of one key. */
function hiddenText(chosen: DeliveryState | undefined): string {
  if (chosen === undefined) {
    return 'Only pending deliveries are listed. To list others, use --state delivered|dead|cancelled, or --key ID.';
  }
  if (chosen !== 'delivered') return '';
  return 'Events that succeeded at their first attempt are not listed. To list them, use --key ID.';
}

function rangeOf(input: CommandInput) {
  return { since: input.optionInstant('since'), until: input.optionInstant('until') };
}
