import { OperatorError } from '@partner-hiring/core';
import type { Delivery, DeliveryState } from '@partner-hiring/core/ports';
import { harmlessJson } from '../console-output.js';
import { attemptTable } from './attempt-table.js';
import type { Command, CommandGroup } from './command.js';
import type { CommandInput } from './command-input.js';
import { countTable } from './count-table.js';
import { keyMustExist } from './must-exist.js';
import { describeOutcome, duration } from './outcome.js';
import { moment, sentence, tableReport } from './report.js';

const STATES = ['pending', 'delivered', 'dead', 'cancelled'] as const satisfies readonly DeliveryState[];

const PAGE_OPTIONS = {
  since: { value: 'TIME', summary: 'Start, inclusive, e.g. 2026-01-31T09:00Z' },
  until: { value: 'TIME', summary: 'End, exclusive' },
  cursor: { value: 'CURSOR', summary: 'The cursor of the next page' },
  limit: { value: 'N', summary: '1 to 1000, default 100' },
} as const;

const list: Command = {
  summary: 'Lists deliveries of a key or a state, newest event first',
  options: {
    key: { value: 'ID', summary: 'Only those of this key' },
    state: { value: STATES.join('|'), summary: 'Only in this state; default pending without --key' },
    ...PAGE_OPTIONS,
  },
  run: async (operator, input) => {
    const keyId = input.optionId('key');
    const state = input.optionChoice('state', STATES) ?? (keyId === undefined ? 'pending' : undefined);
    if (keyId !== undefined) await keyMustExist(operator, keyId);
    const page = await operator.deliveries.list({
      ...pageOf(input),
      ...(keyId === undefined ? {} : { keyId }),
      ...(state === undefined ? {} : { state }),
    });
    const { text } = deliveryTable(page.deliveries, 'No deliveries.');
    return { value: page, text: withNext(text, page.nextCursor) };
  },
};

const dead: Command = {
  summary: 'Lists dead letters: deliveries with ten failed attempts',
  options: { key: { value: 'ID', summary: 'Only those of this key' }, limit: PAGE_OPTIONS.limit },
  run: async (operator, input) => {
    const keyId = input.optionId('key');
    const limit = input.optionNumber('limit');
    if (keyId !== undefined) await keyMustExist(operator, keyId);
    const deliveries = await operator.deliveries.listDead({
      ...(keyId === undefined ? {} : { keyId }),
      ...(limit === undefined ? {} : { limit }),
    });
    return deliveryTable(deliveries, 'No dead letters.');
  },
};

const show: Command = {
  summary: 'Shows one delivery with its event and attempts',
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
    const { delivery, event, attempts } = details;
    const state = `${delivery.state}, ${delivery.attempts} attempts in cycle ${delivery.cycle}`;
    const next = delivery.dueAt === null ? '' : `, the next due ${moment(delivery.dueAt)}`;
    const { text } = attemptTable(
      attempts,
      'No recorded attempts: none was made, or the first one succeeded.',
    );
    return { value: details, text: `${harmlessJson(event.body)}\n\n${state}${next}\n\n${text}` };
  },
};

const attempts: Command = {
  summary: 'Lists attempts, newest first, without successful first attempts',
  arguments: ['key'],
  options: PAGE_OPTIONS,
  run: async (operator, input) => {
    const keyId = input.id('key');
    await keyMustExist(operator, keyId);
    const page = await operator.deliveries.listAttempts({ keyId, ...pageOf(input) });
    const { text } = attemptTable(
      page.attempts,
      'No recorded attempts: none was made, or the first one of each event succeeded.',
    );
    return { value: page, text: withNext(text, page.nextCursor) };
  },
};

const counts: Command = {
  summary: 'Counts the backlog, per endpoint and in total',
  run: async (operator) => countTable(await operator.deliveries.counts()),
};

const redeliver: Command = {
  summary: 'Sends an event again, or all dead letters of a key with the event "all"',
  arguments: ['key', 'event'],
  run: async (operator, input) => {
    const keyId = input.id('key');
    if (input.argument('event') === 'all') {
      const outcome = await operator.deliveries.redeliverAll({ keyId });
      return sentence(`Redelivering ${outcome.redelivered}.`, outcome);
    }
    const outcome = await operator.deliveries.redeliver({ keyId, eventId: input.id('event') });
    return sentence(outcome.changed ? 'Redelivering.' : 'Unchanged: the delivery is pending.', outcome);
  },
};

const replay: Command = {
  summary: 'Sends all events of a time range again, even delivered ones',
  arguments: ['key'],
  options: { since: { ...PAGE_OPTIONS.since, isRequired: true }, until: PAGE_OPTIONS.until },
  run: async (operator, input) => {
    const [since = 0, until] = [input.optionInstant('since'), input.optionInstant('until')];
    const window = { keyId: input.id('key'), since, ...(until === undefined ? {} : { until }) };
    const outcome = await operator.deliveries.redeliverSince(window);
    return sentence(`Redelivering ${outcome.redelivered}.`, outcome);
  },
};

const cancel: Command = {
  summary: 'Cancels a pending delivery',
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
  standard: 'counts',
  commands: { counts, list, dead, show, attempts, redeliver, replay, cancel },
};

function deliveryTable(deliveries: readonly Delivery[], empty: string) {
  return tableReport<Delivery>(
    deliveries,
    {
      KEY: (delivery) => delivery.keyId,
      EVENT: ({ eventId }) => eventId,
      RECORDED: ({ eventAt }) => moment(eventAt),
      STATE: (delivery) => delivery.state,
      ATTEMPTS: ({ attempts: made }) => made,
      NEXT: ({ dueAt }) => moment(dueAt),
      'LAST OUTCOME': ({ lastOutcome }) => (lastOutcome === null ? '-' : describeOutcome(lastOutcome)),
      TOOK: ({ lastLatencyMs }) => duration(lastLatencyMs),
    },
    empty,
  );
}

function pageOf(input: CommandInput) {
  const since = input.optionInstant('since');
  const until = input.optionInstant('until');
  const cursor = input.option('cursor');
  const limit = input.optionNumber('limit');
  return {
    ...(since === undefined ? {} : { since }),
    ...(until === undefined ? {} : { until }),
    ...(cursor === undefined ? {} : { cursor }),
    ...(limit === undefined ? {} : { limit }),
  };
}

function withNext(text: string, nextCursor: string | null): string {
  return nextCursor === null ? text : `${text}\n\nNext page: --cursor ${nextCursor}`;
}
