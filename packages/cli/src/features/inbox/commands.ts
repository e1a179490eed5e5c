import type { InboxItemId } from '@partner-hiring/core';
import type { CommandGroup, OperatorCommand } from '../../command/command.js';
import { libraryCommand } from '../../command/library-command.js';
import { listCommand } from '../../report/list-command.js';
import { moment, sentence } from '../../report/report.js';

const status = libraryCommand(
  'system.status',
  ({ inbox }) => {
    const { isOn, changes, unread, parked, oldestUnreadAt, isExact } = inbox;
    const since = oldestUnreadAt === null ? '' : `, the oldest since ${moment(oldestUnreadAt)}`;
    const counts = `${unread} unread${since}, ${parked} parked${isExact ? '' : ', or more'}`;
    const text = `The inbox is ${isOn ? 'on' : 'off'}: ${counts}. Changes recorded: ${changes}.`;
    return { text, value: inbox, isBadNews: parked > 0 };
  },
  {
    summary: 'Shows whether the inbox is on, and what the platform has not received',
    without: ['hours', 'sealing'],
  },
);

function turn(on: boolean, without: readonly string[], summary: string): OperatorCommand {
  const state = on ? 'on' : 'off';
  return libraryCommand(
    'inbox.turn',
    ({ changed }) => (changed ? `The inbox is now ${state}.` : `Unchanged: the inbox is ${state}.`),
    { summary, without: ['on', ...without], adds: { options: {}, read: () => ({ on }) } },
  );
}

const turnOn = turn(true, [], 'Records new applications for the platform');

const turnOff = turn(
  false,
  ['changes'],
  'Stops recording new applications. The next start of the server turns it on again',
);

const list = listCommand('inbox.list', {
  columns: {
    ID: ({ id }) => id,
    KIND: ({ kind }) => kind,
    PARTNER: ({ keyLabel }) => keyLabel,
    SINCE: ({ firstFailureAt }) => moment(firstFailureAt),
    ATTEMPTS: ({ failures }) => String(failures),
    'NEXT TRY': ({ parkedAt, retryAt }) => {
      if (parkedAt !== null) return `parked ${moment(parkedAt)}`;
      return retryAt === null ? 'with the new items' : moment(retryAt);
    },
    'LAST ERROR': ({ lastError }) => lastError ?? '',
  },
  empty: ({ state = 'refused' }) => `Nothing is ${state}.`,
});

const retry: OperatorCommand = {
  library: 'inbox.retry',
  summary: 'Hands a parked item to the platform again',
  arguments: ['item'],
  run: async (operator, input) => {
    const id = input.argument('item') as InboxItemId;
    const outcome = await operator.inbox.retry({ ids: [id] });
    return sentence(outcome.retried === 1 ? `${id} is handed over again.` : `${id} is not parked.`, outcome);
  },
};

const retryAll: OperatorCommand = {
  summary: 'Hands all parked items to the platform again',
  run: async (operator) => {
    const outcome = await operator.inbox.retry({ all: true });
    return sentence(`Items handed over again: ${outcome.retried}.`, outcome);
  },
};

/** Commands on the inbox of the platform. */
export const inboxGroup: CommandGroup = {
  summary: 'What the platform has not heard of yet',
  standard: 'status',
  commands: { status, 'turn-on': turnOn, 'turn-off': turnOff, list, retry, 'retry-all': retryAll },
};
