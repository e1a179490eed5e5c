import type { DeliveryDetails } from '@partner-hiring/core';
import { mustFind } from '../../gate/refusals.js';
import type { RunAction, ScreenAction } from '../../http/screen.js';
import { change, defineAct } from '../parts/define-act.js';
import { deliveryOf, deliveryPath } from './delivery-page.js';

const ON_DELIVERY = {
  back: (call: ScreenAction) => call.at(deliveryPath(deliveryOf(call))),
  find: (call: ScreenAction) => mustFind(call.gate.call('deliveries.find', deliveryOf(call))),
};

/** The acts on one delivery. */
export const deliveryActions: Readonly<Record<string, RunAction>> = {
  '/deliveries/:key/:event/redeliver': defineAct({
    ...ON_DELIVERY,
    ask: (details) =>
      details.delivery.state === 'delivered'
        ? {
            title: 'Send this event again?',
            text: 'The partner has accepted this event already. The worker sends it again with the same id, so the partner knows that it is a repetition.',
            facts: factsOf(details),
            confirm: 'Send again',
          }
        : null,
    run: change('deliveries.redeliver', (_, call) => deliveryOf(call), 'event-sent', 'event-due'),
  }),
  '/deliveries/:key/:event/cancel': defineAct({
    ...ON_DELIVERY,
    ask: (details) => ({
      title: 'Cancel this delivery?',
      text: 'The worker no longer sends this event, and the partner does not learn of it by a webhook. An attempt in progress still ends. You can redeliver the event later.',
      facts: factsOf(details),
      confirm: 'Cancel the delivery',
    }),
    run: change(
      'deliveries.cancel',
      (_, call) => deliveryOf(call),
      'delivery-cancelled',
      'delivery-cancelled-before',
    ),
  }),
};

function factsOf({ event, delivery }: DeliveryDetails) {
  return [
    ['Event', <code>{event.id}</code>],
    ['Type', event.type],
    ['State', delivery.state],
    ['Partner key', <code>{event.keyId}</code>],
  ] as const;
}
