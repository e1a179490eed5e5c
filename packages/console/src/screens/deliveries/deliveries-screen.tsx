import type { EventId, KeyId, ListedDelivery } from '@partner-hiring/core';
import type { Child } from 'hono/jsx';
import { NothingHere } from '../../gate/refusals.js';
import type { Redirection, Screen, ScreenCall } from '../../http/screen.js';
import { deliveryActions } from '../delivery/delivery-actions.js';
import { showDelivery } from '../delivery/delivery-page.js';
import { cursorOf, defineList, type FilterField, type ListProblem } from '../parts/define-list.js';
import { deliveryColumns } from './delivery-columns.js';
import { DELIVERY_STATES, DELIVERY_TYPES, readDeliveryFilter } from './delivery-list-filter.js';
import { ManyCard } from './many-card.js';
import { redeliverChosen } from './redeliver-chosen.js';
import { redeliverAllOfKey, redeliverSinceOfKey } from './redeliver-many.js';

const FIELDS: readonly FilterField[] = [
  { name: 'state', label: 'State', kind: 'choice', options: DELIVERY_STATES },
  { name: 'key', label: 'Partner key', kind: 'key' },
  { name: 'partner', label: 'Partner id', kind: { idOf: 'partner' } },
  { name: 'application', label: 'Application id', kind: { idOf: 'application' } },
  { name: 'type', label: 'Event', kind: 'choice', options: DELIVERY_TYPES },
  {
    name: 'failing',
    label: 'Failing',
    kind: 'choice',
    options: [['yes', 'Only those that wait for a retry']],
  },
  { name: 'since', label: 'Recorded from (UTC)', kind: 'instant' },
  { name: 'until', label: 'Recorded before (UTC)', kind: 'instant' },
  {
    name: 'event',
    label: 'Event id',
    kind: { idOf: 'event' },
    hint: 'Opens the delivery. Ignores the other fields.',
    leads: true,
  },
];

const showDeliveries = defineList<ListedDelivery>({
  title: 'Deliveries',
  path: '/deliveries',
  fields: FIELDS,
  read: async (call, fields, keys) => {
    const { gate } = call;
    const event = fields.text('event');
    if (event !== null) return findByEvent(call, event);
    const read = readDeliveryFilter(fields, gate);
    if ('problem' in read) return read;
    const page = await gate.call('deliveries.list', { ...read.filter, cursor: cursorOf(fields) });
    const mayRedeliver = gate.may('deliveries:redeliver');
    const isChoice = mayRedeliver && page.items.length > 0;
    return {
      ...page,
      caption: read.isDefault ? 'Dead letters, newest first' : 'Deliveries, newest first',
      empty: emptyText(read.isDefault, page.nextCursor !== null),
      columns: deliveryColumns(call, isChoice),
      around: (table) => (isChoice ? <ChoiceForm call={call}>{table}</ChoiceForm> : table),
      after: mayRedeliver ? <ManyCard call={call} keys={keys} keyId={read.filter.keyId ?? null} /> : null,
    };
  },
});

/** A form around rows with check boxes. */
function ChoiceForm({ call, children }: { readonly call: ScreenCall; readonly children?: Child }) {
  return (
    <form method="post" action={call.at('/deliveries/redeliver')}>
      {children}
      <p class="buttons">
        <button type="submit">Redeliver chosen…</button>
      </p>
    </form>
  );
}

function emptyText(isDefault: boolean, hasMore: boolean): string {
  if (hasMore) return 'No delivery in this part of the list matches. The next page goes on.';
  if (isDefault)
    return 'There is no dead letter: no event has failed ten times. To see other deliveries, choose a filter above.';
  return 'No delivery matches. Delivered events are listed by partner key, partner or application.';
}

/** An event belongs to one key, but its id does not say to which. */
async function findByEvent(call: ScreenCall, event: string): Promise<ListProblem | Redirection> {
  const keyId = await findKeyOf(call, event as EventId);
  if (keyId !== null) {
    return { kind: 'redirect', to: call.at(`/deliveries/${keyId}/${encodeURIComponent(event)}`) };
  }
  const problem =
    'No key has this event. It does not exist, it is no longer stored, or your rights do not cover it.';
  return { problem, status: 404 };
}

/** Null if there is no such event, or if it belongs to another partner. */
async function findKeyOf({ gate }: ScreenCall, eventId: EventId): Promise<KeyId | null> {
  try {
    return (await gate.call('deliveries.find', { eventId }))?.event.keyId ?? null;
  } catch (error) {
    if (error instanceof NothingHere) return null;
    throw error;
  }
}

/** The deliveries of events, and one delivery with its attempts. */
export const deliveriesScreen: Screen = {
  name: 'deliveries',
  label: 'Deliveries',
  path: '/deliveries',
  rights: ['deliveries:read'],
  pages: {
    '/deliveries': showDeliveries,
    '/deliveries/:key/:event': showDelivery,
  },
  actions: {
    '/deliveries/redeliver': redeliverChosen,
    '/deliveries/redeliver-all': redeliverAllOfKey,
    '/deliveries/redeliver-since': redeliverSinceOfKey,
    ...deliveryActions,
  },
};
