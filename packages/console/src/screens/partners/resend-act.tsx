import type { PartnerId, ResendResult, ResendTarget } from '@partner-hiring/core';
import type { RunAction, ScreenCall } from '../../http/screen.js';
import { LABELS } from '../../labels.js';
import { ActionButton } from '../../view/forms.js';
import { countText } from '../../view/parts.js';
import { refuseToResend } from '../endpoints/pause-words.js';
import { defineAct, goTo } from '../parts/define-act.js';
import { findPartner } from '../parts/find-by-path.js';
import { nameOf } from '../parts/names.js';
import { ResendForm, readSelection, resendTitle, selectionFacts } from '../parts/resend-selection.js';

/** Resends the events of all keys of a partner, after a count and a confirmation. */
export const resendToPartnerAct: RunAction = defineAct<ResendTarget & { readonly partnerId: PartnerId }>({
  find: ({ form, param }) => ({ partnerId: param('id') as PartnerId, ...readSelection(form) }),
  ask: async (target, call) => {
    const counted = await call.gate.call('deliveries.resend', { ...target, dryRun: true });
    if (counted.count === 0) {
      const keyIds = counted.keys.map(({ keyId }) => keyId);
      return refuseToResend(call, keyIds, 'no-event-of-partner');
    }
    return {
      title: resendTitle(counted.count),
      text: 'The worker sends them with the same ids, one key at a time. You can watch the progress, stop it, and close this page.',
      facts: [
        [LABELS.one.partner, await partnerName(call, target.partnerId)],
        ...selectionFacts(target),
        ...(await keyFacts(call, counted)),
      ],
      confirm: LABELS.button.resend,
    };
  },
  run: async (target, call) => {
    const { operation } = await call.gate.call('deliveries.resend', target);
    const to = operation === null ? null : call.link('operations', `/${operation.id}`);
    return goTo(to ?? call.at(`/partners/${target.partnerId}`), 'partner-sending-started');
  },
});

async function partnerName(call: ScreenCall, id: PartnerId): Promise<string> {
  return call.gate.may('partners:read') ? (await findPartner(call)).name : id;
}

function keyFacts({ gate }: ScreenCall, { keys }: ResendResult) {
  return Promise.all(
    keys.map(
      async ({ keyId, count }) => [(await nameOf.key(gate, keyId)) ?? keyId, countText(count)] as const,
    ),
  );
}

function mayResend({ gate }: ScreenCall): boolean {
  return gate.may('deliveries:resend') && gate.may('partners:read');
}

/** The form on the page of a partner. Null for an actor who may not send. */
export function ResendSection({ call, id }: { readonly call: ScreenCall; readonly id: PartnerId }) {
  if (!mayResend(call)) return null;
  return (
    <ResendForm
      title={LABELS.button.resend}
      action={call.at(`/partners/${id}/resend`)}
      before="Resends to all keys of the partner, one at a time."
    />
  );
}

/** The button on the page of an endpoint. */
export function ResendButton({ call, id }: { readonly call: ScreenCall; readonly id: PartnerId }) {
  return mayResend(call) ? (
    <ActionButton action={call.at(`/partners/${id}/resend`)} label="Resend to all keys of the partner…" />
  ) : null;
}
