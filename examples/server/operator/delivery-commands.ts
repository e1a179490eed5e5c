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
  since: { value: 'TIME', summary: 'From then on, e.g. 2026-01-31T09:00Z' },
  until: { value: 'TIME', summary: 'Before then' },
  cursor: { value: 'CURSOR', summary: 'Goes on where a page ended' },
  limit: { value: 'N', summary: '1 to 1000, 100 if left out' },
} as const;

const list: Command = {
  summary: 'Lists deliveries, newest event first: all of a key, or those in one state',
  options: {
    key: { value: 'ID', summary: 'Only those of this key' },
    state: { value: STATES.join('|'), summary: 'Only those; pending if there is no --key either' },
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
    const { text } = deliveryTable(page.deliveries, 'There are no such deliveries.');
    return { value: page, text: withNext(text, page.nextCursor) };
  },
};

const dead: Command = {
  summary: 'Lists dead letters: ten attempts, none went well',
  options: { key: { value: 'ID', summary: 'Only those of this key' }, limit: PAGE_OPTIONS.limit },
  run: async (operator, input) => {
    const keyId = input.optionId('key');
    const limit = input.optionNumber('limit');
    if (keyId !== undefined) await keyMustExist(operator, keyId);
    const deliveries = await operator.deliveries.listDead({
      ...(keyId === undefined ? {} : { keyId }),
      ...(limit === undefined ? {} : { limit }),
    });
    return deliveryTable(deliveries, 'No delivery is dead.');
  },
};

const show: Command = {
  summary: 'Shows one delivery: what it carries, and how its attempts went',
  arguments: ['key', 'event'],
  run: async (operator, input) => {
    const [keyId, eventId] = [input.id('key'), input.id('event')];
    await keyMustExist(operator, keyId);
    const details = await operator.deliveries.find({ keyId, eventId });
    if (details === null) {
      throw new OperatorError('DELIVERY_NOT_FOUND', `${keyId} has no event ${eventId}. See deliveries list`);
    }
    const { delivery, event, attempts } = details;
    const state = `${delivery.state}, ${delivery.attempts} attempts in cycle ${delivery.cycle}`;
    const next = delivery.dueAt === null ? '' : `, the next due ${moment(delivery.dueAt)}`;
    const { text } = attemptTable(attempts, 'No attempt is told of: none was made, or the first went well.');
    return { value: details, text: `${harmlessJson(event.body)}\n\n${state}${next}\n\n${text}` };
  },
};

const attempts: Command = {
  summary: 'Lists attempts that did not go well at once, newest first',
  arguments: ['key'],
  options: PAGE_OPTIONS,
  run: async (operator, input) => {
    const keyId = input.id('key');
    await keyMustExist(operator, keyId);
    const page = await operator.deliveries.listAttempts({ keyId, ...pageOf(input) });
    const { text } = attemptTable(
      page.attempts,
      'No attempt is told of: none was made, or the first of each event went well.',
    );
    return { value: page, text: withNext(text, page.nextCursor) };
  },
};

const counts: Command = {
  summary: 'Counts what waits for each endpoint, and for all',
  run: async (operator) => countTable(await operator.deliveries.counts()),
};

const redeliver: Command = {
  summary: 'Sends an event on its way again, or all dead letters of a key: <event> is its id, or "all"',
  arguments: ['key', 'event'],
  run: async (operator, input) => {
    const keyId = input.id('key');
    if (input.argument('event') === 'all') {
      const outcome = await operator.deliveries.redeliverAll({ keyId });
      return sentence(`${outcome.redelivered} on their way again.`, outcome);
    }
    const outcome = await operator.deliveries.redeliver({ keyId, eventId: input.id('event') });
    return sentence(outcome.changed ? 'On its way again.' : 'Nothing to do: it is on its way.', outcome);
  },
};

const replay: Command = {
  summary: 'Sends everything of a time on its way again, also what went well',
  arguments: ['key'],
  options: { since: { ...PAGE_OPTIONS.since, isRequired: true }, until: PAGE_OPTIONS.until },
  run: async (operator, input) => {
    const [since = 0, until] = [input.optionInstant('since'), input.optionInstant('until')];
    const window = { keyId: input.id('key'), since, ...(until === undefined ? {} : { until }) };
    const outcome = await operator.deliveries.redeliverSince(window);
    return sentence(`${outcome.redelivered} on their way again.`, outcome);
  },
};

const cancel: Command = {
  summary: 'Gives a pending delivery up',
  arguments: ['key', 'event'],
  run: async (operator, input) => {
    const outcome = await operator.deliveries.cancel({ keyId: input.id('key'), eventId: input.id('event') });
    return sentence(outcome.changed ? 'It is given up.' : 'It was given up before.', outcome);
  },
};

/** What became of events. */
export const deliveryGroup: CommandGroup = {
  summary: 'Webhooks, and how sending them went',
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
      'LAST ANSWER': ({ lastOutcome }) => (lastOutcome === null ? '-' : describeOutcome(lastOutcome)),
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
  return nextCursor === null ? text : `${text}\n\nThere may be more: --cursor ${nextCursor}`;
}
