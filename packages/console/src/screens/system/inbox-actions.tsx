import type { InboxItemId } from '@partner-hiring/core';
import type { PageContent, Redirection, RunAction, ScreenAction } from '../../http/screen.js';
import { confirmationPage } from '../../view/forms.js';
import { countText } from '../../view/parts.js';
import { explainRefusal, toDone, toRefused } from '../parts/after-act.js';

/** The acts on the inbox. */
export const inboxActions: Readonly<Record<string, RunAction>> = {
  '/system/inbox/retry': retry,
  '/system/inbox/turn-on': (call) => turn(call, true),
  '/system/inbox/turn-off': (call) => turn(call, false),
};

async function retry(call: ScreenAction): Promise<PageContent | Redirection> {
  const back = call.at('/system');
  const item = call.form.text('item');
  if (item === null) return toRefused(back, 'choose-item');
  if (item === 'all' && !call.isConfirmed) {
    const { parked } = await call.gate.call('inbox.status', undefined);
    return confirmationPage(call, {
      title: 'Retry all parked items?',
      text: 'They are handed to the hiring platform again. If it refuses them for another day, they are parked again.',
      facts: [['Parked items', countText(parked)]],
      confirm: 'Retry all',
      back,
    });
  }
  return explainRefusal(back, async () => {
    const which = item === 'all' ? ({ all: true } as const) : { ids: [item as InboxItemId] };
    const { retried } = await call.gate.call('inbox.retry', which);
    return toDone(back, ['inbox-retried', retried]);
  });
}

async function turn(call: ScreenAction, isOn: boolean): Promise<PageContent | Redirection> {
  const back = call.at('/system');
  if (!call.isConfirmed) {
    return confirmationPage(call, {
      title: isOn ? 'Turn the inbox on?' : 'Turn the inbox off?',
      text: isOn
        ? 'Each new application is recorded for the hiring platform, in all processes.'
        : 'New applications are no longer recorded for the hiring platform, in all processes. Unread items stay. A process with the option inbox turns it on again when it starts.',
      facts: [['Inbox', isOn ? 'off' : 'on']],
      confirm: isOn ? 'Turn on' : 'Turn off',
      back,
    });
  }
  return explainRefusal(back, async () => {
    const { changed } = await call.gate.call(isOn ? 'inbox.turnOn' : 'inbox.turnOff', undefined);
    if (isOn) return toDone(back, changed ? 'inbox-on' : 'inbox-on-before');
    return toDone(back, changed ? 'inbox-off' : 'inbox-off-before');
  });
}
