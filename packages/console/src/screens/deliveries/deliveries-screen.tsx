import type { EventId, KeyId, KeyView } from '@partner-hiring/core';
import { listKeysInScope } from '../../gate/keys-in-scope.js';
import { NothingHere } from '../../gate/refusals.js';
import type { PageContent, Redirection, Screen, ScreenCall } from '../../http/screen.js';
import { Pager } from '../../view/data-table.js';
import { FilterForm, IdField, SelectField, TextField } from '../../view/forms.js';
import { Note, Section } from '../../view/parts.js';
import { deliveryActions } from '../delivery/delivery-actions.js';
import { showDelivery } from '../delivery/delivery-page.js';
import { KeyField } from '../parts/key-field.js';
import {
  DELIVERY_FIELDS,
  DELIVERY_STATES,
  DELIVERY_TYPES,
  readDeliveryFilter,
} from './delivery-list-filter.js';
import { DeliveryTable } from './delivery-table.js';
import { ManyCard } from './many-card.js';
import { redeliverChosen } from './redeliver-chosen.js';
import { redeliverAllOfKey, redeliverSinceOfKey } from './redeliver-many.js';

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

async function showDeliveries(call: ScreenCall): Promise<PageContent | Redirection> {
  const { query, gate } = call;
  const { keys } = await listKeysInScope(gate);
  const event = query.text('event');
  if (event !== null) return findByEvent(call, keys, event);
  const read = readDeliveryFilter(query, gate);
  if ('problem' in read) return page(call, keys, <Note tone="warn">{read.problem}</Note>, 400);
  const cursor = query.text('cursor');
  const filter = { ...read.filter, cursor: cursor ?? undefined };
  const { items: deliveries, nextCursor } = await gate.call('deliveries.list', filter);
  const kept = Object.fromEntries(DELIVERY_FIELDS.map((name) => [name, query.text(name)]));
  const mayRedeliver = gate.may('deliveries:redeliver') && deliveries.length > 0;
  const table = (
    <DeliveryTable
      call={call}
      caption={read.isDefault ? 'Dead letters, newest first' : 'Deliveries, newest first'}
      rows={deliveries}
      empty={emptyText(read.isDefault, nextCursor !== null)}
      isChoice={mayRedeliver}
    />
  );
  return page(
    call,
    keys,
    <>
      {mayRedeliver ? (
        <form method="post" action={call.at('/deliveries/redeliver')}>
          {table}
          <p class="buttons">
            <button type="submit">Redeliver chosen…</button>
          </p>
        </form>
      ) : (
        table
      )}
      <Pager
        first={cursor === null ? null : call.at('/deliveries', kept)}
        next={nextCursor === null ? null : call.at('/deliveries', { ...kept, cursor: nextCursor })}
      />
      {gate.may('deliveries:redeliver') ? (
        <ManyCard call={call} keys={keys} keyId={read.filter.keyId ?? null} />
      ) : null}
    </>,
  );
}

function emptyText(isDefault: boolean, hasMore: boolean): string {
  if (hasMore) return 'No delivery in this part of the list matches. The next page goes on.';
  if (isDefault)
    return 'There is no dead letter: no event has failed ten times. To see other deliveries, choose a filter above.';
  return 'No delivery matches. Delivered events are listed by partner key, partner or application.';
}

/** An event belongs to one key, but its id does not say to which. */
async function findByEvent(
  call: ScreenCall,
  keys: readonly KeyView[],
  event: string,
): Promise<PageContent | Redirection> {
  const keyId = await findKeyOf(call, event as EventId);
  if (keyId !== null) {
    return { kind: 'redirect', to: call.at(`/deliveries/${keyId}/${encodeURIComponent(event)}`) };
  }
  const text =
    'No key has this event. It does not exist, it is no longer stored, or your rights do not cover it.';
  return page(call, keys, <Note tone="warn">{text}</Note>, 404);
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

function page(
  call: ScreenCall,
  keys: readonly KeyView[],
  results: PageContent['body'],
  status: 200 | 400 | 404 = 200,
): PageContent {
  const { query } = call;
  const body = (
    <>
      <Section title="Filter">
        <FilterForm action={call.at('/deliveries')} submit="Filter">
          <SelectField
            name="state"
            label="State"
            any="Any"
            value={query.text('state')}
            options={DELIVERY_STATES}
          />
          <KeyField name="key" keys={keys} any="Any" value={query.text('key')} />
          <IdField of="partner" name="partner" label="Partner id" value={query.text('partner')} />
          <IdField
            of="application"
            name="application"
            label="Application id"
            value={query.text('application')}
          />
          <SelectField
            name="type"
            label="Event"
            any="Any"
            value={query.text('type')}
            options={DELIVERY_TYPES}
          />
          <SelectField
            name="failing"
            label="Failing"
            any="Any"
            value={query.text('failing')}
            options={[['yes', 'Only those that wait for a retry']]}
          />
          <TextField
            name="since"
            type="datetime-local"
            label="Recorded from (UTC)"
            value={query.text('since')}
          />
          <TextField
            name="until"
            type="datetime-local"
            label="Recorded before (UTC)"
            value={query.text('until')}
          />
          <IdField
            of="event"
            name="event"
            label="Event id"
            value={query.text('event')}
            hint="Opens the delivery. Ignores the other fields."
          />
        </FilterForm>
      </Section>
      {results}
    </>
  );
  return { kind: 'page', title: 'Deliveries', body, status };
}
