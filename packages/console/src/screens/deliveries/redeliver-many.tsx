import type { BulkSending, KeyId, KeyView } from '@partner-hiring/core';
import type { Redirection, ScreenAction, ScreenCall } from '../../http/screen.js';
import { TextField } from '../../view/forms.js';
import { countText, Section, Time } from '../../view/parts.js';
import { findPause, pauseFacts } from '../endpoints/pause-words.js';
import { defineAct, goTo, RefusedAct } from '../parts/define-act.js';
import { KeyField } from '../parts/key-field.js';

/** Forms that send many deliveries of one key. */
export function ManyCard({
  call,
  keys,
  keyId,
}: {
  readonly call: ScreenCall;
  readonly keys: readonly KeyView[];
  /** The key of the filter. */
  readonly keyId: string | null;
}) {
  return (
    <Section title="Send many again">
      <div class="columns">
        <form method="post" action={call.at('/deliveries/redeliver-all')}>
          <p>Sends all dead letters of a key again, and retries now what waits for a retry.</p>
          <KeyField
            name="allKey"
            label="Partner key to redeliver"
            keys={keys}
            value={keyId}
            any="Choose a key"
          />
          <p class="buttons">
            <button type="submit" class="secondary">
              Count, then redeliver all…
            </button>
          </p>
        </form>
        <form method="post" action={call.at('/deliveries/redeliver-since')}>
          <p>
            Replays every event of a time, even delivered ones. The partner knows the repeated events by their
            ids.
          </p>
          <KeyField
            name="replayKey"
            label="Partner key to replay"
            keys={keys}
            value={keyId}
            any="Choose a key"
          />
          <TextField name="replaySince" type="datetime-local" label="Replay from (UTC)" isRequired />
          <TextField
            name="replayUntil"
            type="datetime-local"
            label="Replay before (UTC)"
            hint="Empty: until now."
          />
          <p class="buttons">
            <button type="submit" class="secondary">
              Count, then replay…
            </button>
          </p>
        </form>
      </div>
    </Section>
  );
}

/** More than this runs as an operation. */
const OWN_STEPS = 10_000;

/** Sends all dead letters of a key again, after a count and a confirmation. */
export const redeliverAllOfKey = defineAct<KeyId>({
  back: (call) => listOf(call, call.form.text('allKey')),
  find: ({ form }) => readKey(form.text('allKey')),
  ask: async (keyId, call) => {
    const { count, redelivered, broughtForward } = await call.gate.call('deliveries.redeliverAll', {
      keyId,
      dryRun: true,
    });
    if (count === 0) throw new RefusedAct('no-dead-letter');
    return {
      title:
        redelivered === 0
          ? `Retry ${countText(count)} ${count === 1 ? 'delivery' : 'deliveries'} now?`
          : `Redeliver ${countText(count)} ${count === 1 ? 'event' : 'events'}?`,
      text: `The worker sends all dead letters of this key again with the same ids, and retries now what waits for a retry. ${longText(count)}`,
      facts: [
        ['Partner key', await labelOf(call, keyId)],
        ['Dead letters to send again', countText(redelivered)],
        ['Retries to make now instead of later', countText(broughtForward)],
        ...(await pauseFacts(call.gate, keyId)),
      ],
      confirm: redelivered === 0 ? 'Retry now' : 'Redeliver all',
      isReversible: true,
    };
  },
  run: async (keyId, call) =>
    afterSending(call, keyId, await call.gate.call('deliveries.redeliverAll', { keyId })),
});

/** Replays the events of a time, after a count and a confirmation. */
export const redeliverSinceOfKey = defineAct({
  back: (call) => listOf(call, call.form.text('replayKey')),
  find: ({ form }) => {
    const keyId = readKey(form.text('replayKey'));
    const since = form.instant('replaySince');
    const until = form.instant('replayUntil');
    if (since === null) throw new RefusedAct('enter-since');
    if (until === null && form.text('replayUntil') !== null) throw new RefusedAct('until-unclear');
    return { keyId, since, until: until ?? undefined };
  },
  ask: async (window, call) => {
    const { keyId, since, until } = window;
    const { count } = await call.gate.call('deliveries.redeliverSince', { ...window, dryRun: true });
    if (count === 0) throw new RefusedAct('no-event-of-time');
    return {
      title: `Replay ${countText(count)} ${count === 1 ? 'event' : 'events'}?`,
      text: `The worker sends every event of this time again with the same id, even delivered ones. ${longText(count)}`,
      facts: [
        ['Partner key', await labelOf(call, keyId)],
        ['From', <Time at={since} />],
        ['Before', until === undefined ? 'now' : <Time at={until} />],
        ['Events', countText(count)],
        ...(await pauseFacts(call.gate, keyId)),
      ],
      confirm: 'Replay',
      isReversible: true,
    };
  },
  run: async (window, call) =>
    afterSending(call, window.keyId, await call.gate.call('deliveries.redeliverSince', window)),
});

function listOf(call: ScreenAction, key: string | null): string {
  return call.at('/deliveries', { key });
}

function readKey(key: string | null): KeyId {
  if (key === null) throw new RefusedAct('choose-key');
  return key as KeyId;
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

async function afterSending(
  call: ScreenAction,
  keyId: KeyId,
  { count, operation }: BulkSending,
): Promise<Redirection> {
  const list = listOf(call, keyId);
  const done = (await findPause(call.gate, keyId)) === null ? 'events-sent' : 'events-held';
  if (operation === null) return goTo(list, [done, count]);
  const to = call.link('operations', `/${operation.id}`);
  return goTo(to ?? list, [done, count], 'operation-sends-rest');
}
