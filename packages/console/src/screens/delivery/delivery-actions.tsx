import type { DeliveryDetails } from '@partner-hiring/core';
import { mustFind } from '../../gate/refusals.js';
import type { RunAction, ScreenAction } from '../../http/screen.js';
import { LABELS } from '../../labels.js';
import { Id } from '../../view/ids.js';
import { pauseFacts, sentNotice } from '../endpoints/pause-words.js';
import { labelOf } from '../parts/choices.js';
import { change, defineAct, RefusedAct } from '../parts/define-act.js';
import { nameOf } from '../parts/names.js';
import { deliveryOf } from './delivery-page.js';

function find(call: ScreenAction): Promise<DeliveryDetails> {
  return mustFind(call.gate.call('deliveries.find', deliveryOf(call)));
}

/** The acts on one delivery. */
export const deliveryActions: Readonly<Record<string, RunAction>> = {
  '/deliveries/:key/:event/resend': defineAct({
    find,
    ask: async (details, call) =>
      details.delivery.state === 'delivered'
        ? {
            title: 'Resend this event?',
            text: 'The partner has accepted this event already. The worker resends it with the same id, so the partner knows that it is a repetition.',
            facts: await factsOf(details, call),
            confirm: LABELS.button.resend,
          }
        : null,
    run: async (_, call) => {
      const { keyId, eventId } = deliveryOf(call);
      const { count } = await call.gate.call('deliveries.resend', { keyId, eventIds: [eventId] });
      return sentNotice(call.gate, keyId, count > 0);
    },
  }),
  '/deliveries/:key/:event/cancel': defineAct({
    find,
    ask: async (details, call) => {
      const { state } = details.delivery;
      if (state === 'delivered') throw new RefusedAct('nothing-to-cancel');
      if (state === 'cancelled') return null;
      return {
        title: 'Cancel this delivery?',
        text: 'The worker no longer sends this event, and the partner does not learn of it by a webhook. An attempt in progress still ends. You can resend the event later, but the partner cannot.',
        facts: await factsOf(details, call),
        confirm: 'Cancel the delivery',
      };
    },
    run: change(
      'deliveries.cancel',
      (_, call) => deliveryOf(call),
      'delivery-cancelled',
      'delivery-cancelled-before',
    ),
  }),
};

async function factsOf({ event, delivery }: DeliveryDetails, { gate }: ScreenAction) {
  return [
    [LABELS.one.partnerKey, (await nameOf.key(gate, event.keyId)) ?? <Id value={event.keyId} />],
    [LABELS.one.event, labelOf(event.type)],
    [LABELS.state, delivery.state],
    [LABELS.delivery.eventId, <Id value={event.id} />],
    ...(await pauseFacts(gate, event.keyId)),
  ] as const;
}
