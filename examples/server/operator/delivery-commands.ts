import type { AttemptOutcome, Delivery, DeliveryState } from '@partner-hiring/core/ports';
import type { Command, CommandGroup } from './command.js';
import { moment, sentence, tableReport } from './report.js';

const STATES = ['pending', 'delivered', 'dead', 'cancelled'] as const satisfies readonly DeliveryState[];

const FILTER = {
  key: { value: 'ID', summary: 'Only those of this key' },
  limit: { value: 'N', summary: '1 to 1000, 100 if left out' },
} as const;

const dead: Command = listing('Lists dead letters: ten attempts, none went well', { ...FILTER }, 'dead');

const list: Command = listing(
  'Lists deliveries that did not go well at once',
  { ...FILTER, state: { value: STATES.join('|'), summary: 'pending if left out' } },
  'pending',
);

const redeliver: Command = {
  summary: 'Sends a dead letter on its way again, or all of a key: <event> is its id, or "all"',
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

/** Deliveries that did not go well. */
export const deliveryGroup: CommandGroup = {
  summary: 'Webhooks that did not go well',
  standard: 'dead',
  commands: { dead, list, redeliver },
};

function listing(
  summary: string,
  options: NonNullable<Command['options']>,
  standard: DeliveryState,
): Command {
  return {
    summary,
    options,
    run: async (operator, input) => {
      const keyId = input.optionId('key');
      const limit = input.optionNumber('limit');
      const state = input.optionChoice('state', STATES) ?? standard;
      const deliveries = await operator.deliveries.list({
        state,
        ...(keyId === undefined ? {} : { keyId }),
        ...(limit === undefined ? {} : { limit }),
      });
      return tableReport<Delivery>(
        deliveries,
        {
          KEY: (delivery) => delivery.keyId,
          EVENT: ({ eventId }) => eventId,
          STATE: (delivery) => delivery.state,
          ATTEMPTS: ({ attempts }) => attempts,
          NEXT: ({ dueAt }) => moment(dueAt),
          'LAST ANSWER': ({ lastOutcome }) => describeOutcome(lastOutcome),
        },
        `No delivery is ${state}.`,
      );
    },
  };
}

function describeOutcome(outcome: AttemptOutcome | null): string {
  if (outcome === null) return '-';
  return outcome.kind === 'answered' ? `HTTP ${outcome.status}` : outcome.failure;
}
