import type { BulkSending, KeyId, KeyView, ResendTarget } from '@partner-hiring/core';
import type { Redirection, ScreenAction, ScreenCall } from '../../http/screen.js';
import { LABELS } from '../../labels.js';
import { countText } from '../../view/parts.js';
import { pauseFacts, refuseToResend } from '../endpoints/pause-words.js';
import { defineAct, goTo, RefusedAct } from '../parts/define-act.js';
import { KeyField } from '../parts/key-field.js';
import { nameOf } from '../parts/names.js';
import { ResendForm, readSelection, resendTitle, selectionFacts } from '../parts/resend-selection.js';

interface ManyCardProps {
  readonly call: ScreenCall;
  readonly keys: readonly KeyView[];
  /** The key of the filter. */
  readonly keyId: string | null;
}

/** A form that resends many deliveries of one key. */
export function ManyCard({ call, keys, keyId }: ManyCardProps) {
  return (
    <ResendForm
      title="Resend many"
      action={call.at('/deliveries/resend-many')}
      after="The partner knows repeated events by their ids."
    >
      <KeyField
        name="resendKey"
        label="Partner key to resend to"
        keys={keys}
        value={keyId}
        any="Choose a key"
      />
    </ResendForm>
  );
}

/** More than this runs as an operation. */
const MOST_AT_ONCE = 10_000;

/** Resends events of a key, after a count and a confirmation. */
export const resendMany = defineAct<ResendTarget & { readonly keyId: KeyId }>({
  back: (call) => listOf(call, call.form.text('resendKey')),
  find: ({ form }) => {
    const keyId = form.text('resendKey');
    if (keyId === null) throw new RefusedAct('choose-key');
    return { keyId: keyId as KeyId, ...readSelection(form) };
  },
  ask: async (target, call) => {
    const { keyId, only } = target;
    const { count, restarted, broughtForward } = await call.gate.call('deliveries.resend', {
      ...target,
      dryRun: true,
    });
    if (count === 0)
      return refuseToResend(call, [keyId], only === undefined ? 'no-event-of-time' : 'no-dead-letter');
    return {
      title: resendTitle(count),
      text: `The worker sends them now with the same ids. ${longText(count)}`,
      facts: [
        [LABELS.one.partnerKey, (await nameOf.key(call.gate, keyId)) ?? keyId],
        ...selectionFacts(target),
        [only === undefined ? 'Events to resend' : 'Dead letters to resend', countText(restarted)],
        ['Retries to make now instead of later', countText(broughtForward)],
        ...(await pauseFacts(call.gate, keyId)),
      ],
      confirm: LABELS.button.resend,
    };
  },
  run: async (target, call) =>
    afterSending(call, target.keyId, await call.gate.call('deliveries.resend', target)),
});

function listOf(call: ScreenAction, key: string | null): string {
  return call.at('/deliveries', { key });
}

function longText(count: number): string {
  return count > MOST_AT_ONCE
    ? 'It runs as an operation: you can watch its progress, stop it, and close this page.'
    : '';
}

function afterSending(
  call: ScreenAction,
  keyId: KeyId,
  { count, held, operation }: BulkSending,
): Redirection {
  const list = listOf(call, keyId);
  const done = held === 0 ? 'events-sent' : 'events-held';
  if (operation === null) return goTo(list, [done, count]);
  const to = call.link('operations', `/${operation.id}`);
  return goTo(to ?? list, [done, count], 'operation-sends-rest');
}
