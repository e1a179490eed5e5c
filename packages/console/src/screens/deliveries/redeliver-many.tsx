import type { BulkSending, KeyId } from '@partner-hiring/core';
import type { PageContent, Redirection, ScreenAction } from '../../http/screen.js';
import { confirmationPage } from '../../view/forms.js';
import { countText, Time } from '../../view/parts.js';
import { explainRefusal, toDone, toRefused } from '../parts/after-act.js';

/** More than this runs as an operation. */
const OWN_STEPS = 10_000;

/** Sends all dead letters of a key again, after a count and a confirmation. */
export async function redeliverAllOfKey(call: ScreenAction): Promise<PageContent | Redirection> {
  const keyId = call.form.text('allKey') as KeyId | null;
  const list = call.at('/deliveries', { key: keyId });
  if (keyId === null) return toRefused(list, 'choose-key');
  if (call.isConfirmed) {
    return explainRefusal(list, async () =>
      afterSending(call, list, await call.gate.call('deliveries.redeliverAll', { keyId })),
    );
  }
  return explainRefusal(list, async () => {
    const { count, redelivered, broughtForward } = await call.gate.call('deliveries.redeliverAll', {
      keyId,
      dryRun: true,
    });
    if (count === 0) return toRefused(list, 'no-dead-letter');
    return confirmationPage(call, {
      title: `Redeliver ${countText(count)} ${count === 1 ? 'event' : 'events'}?`,
      text: `The worker sends all dead letters of this key again with the same ids, and retries now what waits for a retry. ${longText(count)}`,
      facts: [
        ['Partner key', await labelOf(call, keyId)],
        ['Dead letters to send again', countText(redelivered)],
        ['Retries to make now', countText(broughtForward)],
      ],
      confirm: 'Redeliver all',
      back: list,
    });
  });
}

/** Replays the events of a time, after a count and a confirmation. */
export async function redeliverSinceOfKey(call: ScreenAction): Promise<PageContent | Redirection> {
  const { form, gate } = call;
  const keyId = form.text('replayKey') as KeyId | null;
  const list = call.at('/deliveries', { key: keyId });
  const [since, until] = [form.instant('replaySince'), form.instant('replayUntil')];
  if (keyId === null) return toRefused(list, 'choose-key');
  if (since === null) return toRefused(list, 'enter-since');
  if (until === null && form.text('replayUntil') !== null) return toRefused(list, 'until-unclear');
  const window = { keyId, since, until: until ?? undefined };
  if (call.isConfirmed) {
    return explainRefusal(list, async () =>
      afterSending(call, list, await gate.call('deliveries.redeliverSince', window)),
    );
  }
  return explainRefusal(list, async () => {
    const { count } = await gate.call('deliveries.redeliverSince', { ...window, dryRun: true });
    if (count === 0) return toRefused(list, 'no-event-of-time');
    return confirmationPage(call, {
      title: `Replay ${countText(count)} ${count === 1 ? 'event' : 'events'}?`,
      text: `The worker sends every event of this time again with the same id, even delivered ones. ${longText(count)}`,
      facts: [
        ['Partner key', await labelOf(call, keyId)],
        ['From', <Time at={since} />],
        ['Before', until === null ? 'now' : <Time at={until} />],
        ['Events', countText(count)],
      ],
      confirm: 'Replay',
      back: list,
    });
  });
}

async function labelOf({ gate }: ScreenAction, keyId: KeyId): Promise<string> {
  const found = gate.may('keys:read') ? await gate.call('keys.find', { keyId }) : null;
  return found?.label ?? keyId;
}

function longText(count: number): string {
  return count > OWN_STEPS
    ? 'It runs as an operation: you can watch its progress, stop it, and close this page.'
    : '';
}

function afterSending(call: ScreenAction, list: string, { count, operation }: BulkSending): Redirection {
  if (operation === null) return toDone(list, ['events-sent', count]);
  const to = call.link('operations', `/${operation.id}`);
  return toDone(to ?? list, ['events-sent', count], 'operation-sends-rest');
}
