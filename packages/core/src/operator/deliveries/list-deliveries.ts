import { type Delivery, type DeliveryState, deliveryWithoutRow } from '../../domain/delivery.js';
import type { KeyId } from '../../domain/ids.js';
import type { Instant } from '../../domain/time.js';
import type { DeliveryPosition } from '../../ports/repositories/deliveries.js';
import type { Repositories } from '../../ports/storage.js';
import type { DeliveryFilter, DeliveryPage } from '../deliveries.js';
import { checkedLimit, inspect, inspectChoice, inspectInstant, LIST_LIMIT } from '../input/inspection.js';
import { BEFORE_ALL_IDS, definePageCursors, isPlaceId, isPlaceNumber } from './page-cursor.js';

/** The states in the order of a delivery's life. */
const STATES = ['pending', 'delivered', 'dead', 'cancelled'] as const satisfies readonly DeliveryState[];

const COMMAND = 'deliveries.list';

const CURSORS = definePageCursors<DeliveryPosition>({
  command: COMMAND,
  list: 'deliveries',
  valuesOf: ({ eventAt, eventId }) => [eventAt, eventId],
  placeOf: ([eventAt, eventId]) =>
    isPlaceNumber(eventAt) && isPlaceId(eventId) ? { eventAt, eventId } : null,
});

/** A page of some rows and whether more may follow, by the place after which they do. */
interface Read {
  readonly deliveries: readonly Delivery[];
  readonly goOnAfter: DeliveryPosition | null;
}

interface Query {
  readonly from: Instant;
  /** Where the page begins; undefined at the newest. */
  readonly after: DeliveryPosition | undefined;
  readonly limit: number;
}

/** A page of deliveries. Throws what `DeliveryCommands` says. */
export async function listDeliveries(read: Repositories, filter: DeliveryFilter): Promise<DeliveryPage> {
  const { keyId = null, state = null, since = 0, until } = filter;
  const limit = checkedLimit(COMMAND, filter.limit);
  check(filter);
  const binding = [keyId, state, since, until ?? null];
  const place = CURSORS.read(binding, filter.cursor);
  const newest = until === undefined ? undefined : { eventAt: until, eventId: BEFORE_ALL_IDS };
  const query = { from: since, after: place ?? newest, limit };
  const { deliveries, goOnAfter } = await readPage(read, keyId, state, query);
  return { deliveries, nextCursor: goOnAfter === null ? null : CURSORS.write(binding, goOnAfter) };
}

function check({ keyId, state, since, until }: DeliveryFilter): void {
  const inspection = inspect(COMMAND);
  inspection.expect(keyId !== undefined || state !== undefined, 'keyId', 'or state must be given');
  if (state !== undefined) inspectChoice(inspection, state, 'state', STATES);
  inspectInstant(inspection, since, 'since');
  inspectInstant(inspection, until, 'until');
  inspection.end();
}

function readPage(
  read: Repositories,
  keyId: KeyId | null,
  state: DeliveryState | null,
  query: Query,
): Promise<Read> {
  if (keyId !== null && state === null) return ofLog(read, keyId, query);
  if (keyId !== null && state === 'delivered') return ofDelivered(read, keyId, query);
  if (keyId !== null && state === 'pending') return ofPending(read, keyId, query);
  return ofRows(read, keyId, state ?? 'pending', query);
}

async function ofRows(
  read: Repositories,
  keyId: KeyId | null,
  state: DeliveryState,
  { from, after, limit }: Query,
): Promise<Read> {
  const more = after === undefined ? {} : { after };
  return cut(await read.deliveries.list({ keyId, state, from, ...more, limit: limit + 1 }), limit);
}

/** The log with its rows. */
async function ofLog(read: Repositories, keyId: KeyId, { from, after, limit }: Query): Promise<Read> {
  return cut(await readLog(read, keyId, { from, before: beforeOf(after), limit: limit + 1 }), limit);
}

/** Picked from a bounded stretch of the log, behind what was never attempted; they may be few in it. */
async function ofDelivered(read: Repositories, keyId: KeyId, { from, after, limit }: Query): Promise<Read> {
  const [backlog] = await read.endpoints.backlogs(keyId, 0, 1);
  const before = Math.min(beforeOf(after), backlog?.oldestUnsentAt ?? Number.MAX_SAFE_INTEGER);
  const stretch = LIST_LIMIT.max + 1;
  const all = await readLog(read, keyId, { from, before, limit: stretch });
  const page = cut(
    all.filter(({ state }) => state === 'delivered'),
    limit,
  );
  if (page.goOnAfter !== null || all.length < stretch) return page;
  return { ...page, goOnAfter: positionOf(all.at(-1)) };
}

async function readLog(
  read: Repositories,
  keyId: KeyId,
  range: { readonly from: Instant; readonly before: Instant; readonly limit: number },
): Promise<readonly Delivery[]> {
  const events = await read.events.listNewest({ keyId, ...range });
  // Read after the log: a row, if there is one by now, is what counts.
  const ids = events.map(({ id }) => id);
  const rows = await read.deliveries.find(keyId, ids);
  return events.map((event, index) => rows[index] ?? deliveryWithoutRow(event, event.isPassed));
}

/** What was never attempted is newer than every row: both are read from the newest on, and merged. */
async function ofPending(read: Repositories, keyId: KeyId, { from, after, limit }: Query): Promise<Read> {
  const events = await read.events.listNewest({ keyId, from, before: beforeOf(after), limit: limit + 1 });
  const rows = (await ofRows(read, keyId, 'pending', { from, after, limit: limit + 1 })).deliveries;
  const unsent = events.filter(({ isPassed }) => !isPassed).map((event) => deliveryWithoutRow(event, false));
  const merged = new Map([...unsent, ...rows].map((delivery) => [delivery.eventId, delivery]));
  return cut(
    [...merged.values()].sort((a, b) => b.eventAt - a.eventAt),
    limit,
  );
}

/** A key's events have instants of their own, so that the instant alone is a place in its log. */
function beforeOf(after: DeliveryPosition | undefined): Instant {
  return after?.eventAt ?? Number.MAX_SAFE_INTEGER;
}

/** The page in rows of which one more was asked for: whether there is one is all that it tells. */
function cut(deliveries: readonly Delivery[], limit: number): Read {
  const page = deliveries.slice(0, limit);
  return { deliveries: page, goOnAfter: deliveries.length > limit ? positionOf(page.at(-1)) : null };
}

function positionOf(delivery: Delivery | undefined): DeliveryPosition | null {
  return delivery === undefined ? null : { eventAt: delivery.eventAt, eventId: delivery.eventId };
}
