import type { Delivery, DeliveryFilter, EventId, KeyId, KeyView } from '@partner-hiring/core';
import type { Child } from 'hono/jsx';
import type { Gate } from '../../gate/gate.js';
import type { Fields, Redirection, Screen, ScreenCall } from '../../http/screen.js';
import { LABELS } from '../../labels.js';
import { deliveryActions } from '../delivery/delivery-actions.js';
import { deliveryActs, deliveryPage } from '../delivery/delivery-page.js';
import { lastUseOf } from '../partners/last-use.js';
import { cursorOf, defineList, type ListProblem, type ListResult } from '../parts/define-list.js';
import { filterOf, hasOwner, ofOwnPartner, type ReadFilter } from '../parts/list-filter.js';
import { deliveryColumns } from './delivery-columns.js';
import { resendChosen } from './resend-chosen.js';
import { ManyCard, resendMany } from './resend-many.js';

const FILTER = filterOf('deliveries.list', [
  { name: 'state', label: LABELS.state, labels: { dead: 'Dead letters (all attempts failed)' } },
  { name: 'key', label: LABELS.one.partner, isOwner: true },
  { name: 'application', label: LABELS.one.application, isPinned: true },
  { name: 'type', label: LABELS.one.event },
  { name: 'failing', field: 'onlyFailing', label: 'Failing', yes: 'Only those that wait for a retry' },
  {
    name: 'waits',
    label: 'Waits',
    labels: {
      due: LABELS.endpoint.due,
      later: LABELS.endpoint.scheduled,
      held: LABELS.endpoint.held,
    },
  },
  { name: 'since', label: 'Recorded from (UTC)' },
  { name: 'until', label: 'Recorded before (UTC)' },
  {
    name: 'event',
    label: LABELS.delivery.eventId,
    kind: { idOf: 'event' },
    hint: 'Opens the delivery. Ignores the other fields.',
    leads: true,
  },
]);

const showDeliveries = defineList<Delivery>({
  title: LABELS.all.deliveries,
  path: '/deliveries',
  fields: FILTER.fields,
  rules: [{ atMostOne: ['state', 'failing', 'waits'], text: 'Deliveries that wait are pending.' }],
  read: async (call, fields, keys) => {
    const { gate } = call;
    const event = fields.text('event');
    if (event !== null) return findByEvent(call, event);
    if (isOfSeveral(fields, gate) && keys.length > 0) return readNewest(call, fields, keys);
    const read = readFilter(fields, gate);
    if ('problem' in read) return read;
    const isDefault = Object.keys(read.filter).length === 0;
    const filter = isWide(read.filter) ? { ...read.filter, state: 'dead' as const } : read.filter;
    const page = await gate.call('deliveries.list', { ...filter, cursor: cursorOf(fields) });
    return {
      ...page,
      ...actsOn(call, page.items.length, keys, read.filter.keyId ?? null),
      caption: isDefault ? 'Dead letters, newest first' : 'Deliveries, newest first',
      empty: emptyText(isDefault, page.nextCursor !== null),
    };
  },
});

/** The columns of the list, and the forms that resend deliveries. */
function actsOn(
  call: ScreenCall,
  rows: number,
  keys: readonly KeyView[],
  keyId: KeyId | null,
): Pick<ListResult<Delivery>, 'columns' | 'acts' | 'around' | 'after'> {
  const mayResend = call.gate.may('deliveries:resend');
  const isChoice = mayResend && rows > 0;
  return {
    columns: deliveryColumns(call, isChoice),
    acts: (delivery) => deliveryActs(call, delivery),
    around: (table) => (isChoice ? <ChoiceForm call={call}>{table}</ChoiceForm> : table),
    after: mayResend ? <ManyCard call={call} keys={keys} keyId={keyId} /> : null,
  };
}

/** Whether the list is of several partners in all states. No index has that, so it merges the lists of some keys. */
function isOfSeveral(fields: Fields, { isForAllPartners, actor }: Gate): boolean {
  const read = FILTER.read(fields);
  return 'filter' in read && isWide(read.filter) && (isForAllPartners || actor.partnerIds.length > 1);
}

async function readNewest(
  call: ScreenCall,
  fields: Fields,
  keys: readonly KeyView[],
): Promise<ListResult<Delivery> | ListProblem> {
  const read = FILTER.read(fields);
  if ('problem' in read) return read;
  const { items, isOfAll } = await listNewest(call.gate, keys, read.filter);
  return {
    items,
    nextCursor: null,
    ...actsOn(call, items.length, keys, null),
    caption: isOfAll
      ? 'The newest deliveries. For older ones, filter by partner'
      : 'The newest deliveries of the partners that called last. For others, filter by partner',
    empty: 'No event was recorded yet. A partner gets events after somebody sets the URL of its endpoint.',
  };
}

/** Each key is one range of an index, so the number of keys bounds the time. */
const MOST_KEYS = 8;
const MOST_ROWS = 50;

/** Merges the newest deliveries of the keys that were used last. `isOfAll` says whether these are all keys. */
async function listNewest(
  gate: Gate,
  keys: readonly KeyView[],
  filter: Pick<DeliveryFilter, 'type' | 'since' | 'until'>,
) {
  const chosen = lastUsed(keys);
  const pages = await Promise.all(
    chosen.map((keyId) => gate.call('deliveries.list', { ...filter, keyId, limit: MOST_ROWS })),
  );
  const newestFirst = pages
    .flatMap(({ items }) => items)
    .sort((first, second) => second.eventAt - first.eventAt || (first.eventId < second.eventId ? 1 : -1));
  return { items: newestFirst.slice(0, MOST_ROWS), isOfAll: chosen.length === keys.length };
}

function lastUsed(keys: readonly KeyView[]): readonly KeyId[] {
  const uses = new Map(keys.map((view) => [view.key.id, lastUseOf([view]) ?? 0]));
  const lastFirst = [...uses].sort(([, first], [, second]) => second - first);
  return lastFirst.slice(0, MOST_KEYS).map(([keyId]) => keyId);
}

function readFilter(fields: Fields, gate: Gate): ReadFilter<DeliveryFilter> {
  const read = FILTER.read(fields);
  if ('problem' in read) return read;
  const { onlyFailing, waits, state } = read.filter;
  if ((onlyFailing || waits !== undefined) && state !== undefined && state !== 'pending') {
    return { problem: 'A delivery that waits is pending. Remove the state, or choose Pending.' };
  }
  return ofOwnPartner(read.filter, gate);
}

/**
 * Whether a filter selects the deliveries of all keys in all states. If so, the list shows only dead letters, which
 * need help.
 */
function isWide(filter: DeliveryFilter): boolean {
  const { state, onlyFailing, waits } = filter;
  return !hasOwner(filter) && [state, onlyFailing, waits].every((choice) => choice === undefined);
}

/** A form around rows with check boxes. */
function ChoiceForm({ call, children }: { readonly call: ScreenCall; readonly children?: Child }) {
  return (
    <form method="post" action={call.at('/deliveries/resend')}>
      {children}
      <p class="buttons">
        <button type="submit">Resend chosen…</button>
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
  const found = await call.gate.call('deliveries.find', { eventId: event as EventId });
  if (found !== null) {
    return { kind: 'redirect', to: call.at(`/deliveries/${found.event.keyId}/${encodeURIComponent(event)}`) };
  }
  const problem =
    'No key has this event. It does not exist, it is no longer stored, or your rights do not cover it.';
  return { problem, status: 404 };
}

/** The deliveries of events, and one delivery with its attempts. */
export const deliveriesScreen: Screen = {
  name: 'deliveries',
  label: LABELS.all.deliveries,
  path: '/deliveries',
  rights: ['deliveries:read'],
  pages: {
    '/deliveries': showDeliveries,
    '/deliveries/:key/:event': deliveryPage,
  },
  actions: {
    '/deliveries/resend': resendChosen,
    '/deliveries/resend-many': resendMany,
    ...deliveryActions,
  },
};
