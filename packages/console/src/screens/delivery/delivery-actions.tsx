import type { DeliveryDetails } from '@partner-hiring/core';
import { NothingHere } from '../../gate/refusals.js';
import type { PageContent, Redirection, RunAction, ScreenAction } from '../../http/screen.js';
import { confirmationPage } from '../../view/forms.js';
import { explainRefusal, toDone } from '../parts/after-act.js';
import { deliveryOf, deliveryPath } from './delivery-page.js';

/** The acts on one delivery. */
export const deliveryActions: Readonly<Record<string, RunAction>> = {
  '/deliveries/:key/:event/redeliver': redeliver,
  '/deliveries/:key/:event/cancel': cancel,
};

async function find(call: ScreenAction): Promise<DeliveryDetails> {
  const details = await call.gate.call('deliveries.find', deliveryOf(call));
  if (details === null) throw new NothingHere();
  return details;
}

async function redeliver(call: ScreenAction): Promise<PageContent | Redirection> {
  const target = deliveryOf(call);
  const back = call.at(deliveryPath(target));
  const details = await find(call);
  if (details.delivery.state === 'delivered' && !call.isConfirmed) {
    return confirmationPage(call, {
      title: 'Send this event again?',
      text: 'The partner has accepted this event already. The worker sends it again with the same id, so the partner knows that it is a repetition.',
      facts: factsOf(details),
      confirm: 'Send again',
      back,
    });
  }
  return explainRefusal(back, async () => {
    const { changed } = await call.gate.call('deliveries.redeliver', target);
    return toDone(back, changed ? 'event-sent' : 'event-due');
  });
}

async function cancel(call: ScreenAction): Promise<PageContent | Redirection> {
  const target = deliveryOf(call);
  const back = call.at(deliveryPath(target));
  const details = await find(call);
  if (!call.isConfirmed) {
    return confirmationPage(call, {
      title: 'Cancel this delivery?',
      text: 'The worker no longer sends this event, and the partner does not learn of it by a webhook. An attempt in progress still ends. You can redeliver the event later.',
      facts: factsOf(details),
      confirm: 'Cancel the delivery',
      back,
    });
  }
  return explainRefusal(back, async () => {
    const { changed } = await call.gate.call('deliveries.cancel', target);
    return toDone(back, changed ? 'delivery-cancelled' : 'delivery-cancelled-before');
  });
}

function factsOf({ event, delivery }: DeliveryDetails) {
  return [
    ['Event', <code>{event.id}</code>],
    ['Type', event.type],
    ['State', delivery.state],
    ['Partner key', <code>{event.keyId}</code>],
  ] as const;
}
