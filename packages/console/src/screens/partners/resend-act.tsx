import type { PartnerId, PartnerSending } from '@partner-hiring/core';
import type { RunAction, ScreenCall } from '../../http/screen.js';
import { ActionButton, TextField } from '../../view/forms.js';
import { countText, Section, Time } from '../../view/parts.js';
import { defineAct, goTo, RefusedAct } from '../parts/define-act.js';
import { findPartner } from '../parts/find-by-path.js';
import { nameOf } from '../parts/names.js';

interface Resending {
  readonly partnerId: PartnerId;
  readonly since: number | undefined;
  readonly until: number | undefined;
}

/** Sends the events of all keys of a partner again, after a count and a confirmation. */
export const resendToPartner: RunAction = defineAct<Resending>({
  back: (call) => call.at(`/partners/${encodeURIComponent(call.param('id'))}`),
  find: ({ form, param }) => {
    const since = form.instant('since');
    const until = form.instant('until');
    if (since === null && form.text('since') !== null) throw new RefusedAct('enter-since');
    if (until === null && form.text('until') !== null) throw new RefusedAct('until-unclear');
    if (since === null && until !== null) throw new RefusedAct('enter-since');
    return { partnerId: param('id') as PartnerId, since: since ?? undefined, until: until ?? undefined };
  },
  ask: async (resending, call) => {
    const { partnerId, since, until } = resending;
    const counted = await call.gate.call('deliveries.redeliverPartner', { ...resending, dryRun: true });
    if (counted.count === 0) throw new RefusedAct('no-event-of-partner');
    return {
      title: `Send ${countText(counted.count)} ${counted.count === 1 ? 'event' : 'events'} again?`,
      text: 'The worker sends them with the same ids, one key after the other. You can watch the progress, stop it, and close this page.',
      facts: [
        ['Partner', await partnerName(call, partnerId)],
        [
          'Which',
          since === undefined ? 'dead letters, and what waits for a retry' : 'every event of the time',
        ],
        ...(since === undefined
          ? []
          : [
              ['From', <Time at={since} />] as const,
              ['Before', until === undefined ? 'now' : <Time at={until} />] as const,
            ]),
        ...(await keyFacts(call, counted)),
      ],
      confirm: 'Send again',
      isReversible: true,
    };
  },
  run: async (resending, call) => {
    const { operation } = await call.gate.call('deliveries.redeliverPartner', resending);
    const to = operation === null ? null : call.link('operations', `/${operation.id}`);
    return goTo(to ?? call.at(`/partners/${resending.partnerId}`), 'partner-sending-started');
  },
});

async function partnerName(call: ScreenCall, id: PartnerId): Promise<string> {
  return call.gate.may('partners:read') ? (await findPartner(call)).name : id;
}

function keyFacts({ gate }: ScreenCall, { keys }: PartnerSending) {
  return Promise.all(
    keys.map(async ({ keyId, count }) => {
      const label = gate.may('keys:read') ? await nameOf.key(gate, keyId) : null;
      return [label ?? keyId, countText(count)] as const;
    }),
  );
}

function mayResend({ gate }: ScreenCall): boolean {
  return gate.may('deliveries:redeliver') && gate.may('partners:read');
}

/** The form on the page of a partner. Null for an actor who may not send. */
export function ResendSection({ call, id }: { readonly call: ScreenCall; readonly id: PartnerId }) {
  if (!mayResend(call)) return null;
  return (
    <Section title="Send again">
      <form method="post" action={call.at(`/partners/${id}/resend`)}>
        <p>
          Sends to all keys of the partner, one after the other. Without a time: dead letters, and what waits
          for a retry. With a time: every event of it, even delivered ones.
        </p>
        <div class="fields">
          <TextField
            name="since"
            type="datetime-local"
            label="All events from (UTC)"
            hint="Empty: what failed."
          />
          <TextField name="until" type="datetime-local" label="Before (UTC)" hint="Empty: until now." />
        </div>
        <p class="buttons">
          <button type="submit" class="secondary">
            Count, then send again…
          </button>
        </p>
      </form>
    </Section>
  );
}

/** The button on the page of an endpoint. */
export function ResendButton({ call, id }: { readonly call: ScreenCall; readonly id: PartnerId }) {
  return mayResend(call) ? (
    <ActionButton
      action={call.at(`/partners/${id}/resend`)}
      label="Send again to all keys of the partner…"
      tone="secondary"
    />
  ) : null;
}
