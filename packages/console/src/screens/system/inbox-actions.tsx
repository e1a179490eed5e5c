import type { InboxItemId } from '@partner-hiring/core';
import type { RunAction, ScreenAction } from '../../http/screen.js';
import { countText } from '../../view/parts.js';
import { change, defineAct, RefusedAct } from '../parts/define-act.js';

const back = (call: ScreenAction) => call.at('/system');

const retry = defineAct({
  back,
  find: ({ form }) => {
    const item = form.text('item');
    if (item === null) throw new RefusedAct('choose-item');
    return item;
  },
  ask: async (item, { gate }) => {
    if (item !== 'all') return null;
    const { parked } = await gate.call('inbox.status', undefined);
    return {
      title: 'Retry all parked items?',
      text: 'They are handed to the hiring platform again. If it refuses them for another day, they are parked again.',
      facts: [['Parked items', countText(parked)]],
      confirm: 'Retry all',
    };
  },
  run: async (item, { gate }) => {
    const which = item === 'all' ? ({ all: true } as const) : { ids: [item as InboxItemId] };
    const { retried } = await gate.call('inbox.retry', which);
    return ['inbox-retried', retried];
  },
});

const turnOn = defineAct({
  back,
  find: () => null,
  ask: () => ({
    title: 'Turn the inbox on?',
    text: 'Each new application is recorded for the hiring platform, in all processes.',
    facts: [['Inbox', 'off']],
    confirm: 'Turn on',
  }),
  run: change('inbox.turnOn', () => undefined, 'inbox-on', 'inbox-on-before'),
});

const turnOff = defineAct({
  back,
  find: () => null,
  ask: () => ({
    title: 'Turn the inbox off?',
    text: 'New applications are no longer recorded for the hiring platform, in all processes. Unread items stay. A process with the option inbox turns it on again when it starts.',
    facts: [['Inbox', 'on']],
    confirm: 'Turn off',
  }),
  run: change('inbox.turnOff', () => undefined, 'inbox-off', 'inbox-off-before'),
});

/** The acts on the inbox. */
export const inboxActions: Readonly<Record<string, RunAction>> = {
  '/system/inbox/retry': retry,
  '/system/inbox/turn-on': turnOn,
  '/system/inbox/turn-off': turnOff,
};
