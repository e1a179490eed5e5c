import {
  type AttemptRecord,
  type Delivery,
  type DeliveryState,
  deliveryWithoutRow,
} from '../../domain/delivery.js';
import type { LoggedEvent } from '../../domain/event.js';
import type { EventId, KeyId } from '../../domain/ids.js';
import type { Instant } from '../../domain/time.js';
import type { AttemptPosition, DeliveryPosition } from '../../ports/repositories/deliveries.js';
import type { Repositories } from '../../ports/storage.js';
import { checkedLimit, inspect, inspectChoice, inspectInstant, LIST_LIMIT } from '../input.js';
import { type KeyNames, withKeyNames } from '../names.js';
import {
  definePageCursors,
  isCursorId,
  isCursorNumber,
  type PageCursors,
  type PageOptions,
  readPage,
} from '../page-cursor.js';
import { type Evidenced, withEvidence } from './with-evidence.js';

/** Selects a page of a time range. The range includes `since` and ends before `until`. */
export interface PageFilter extends PageOptions {
  readonly since?: Instant;
  readonly until?: Instant;
}

/** Selects deliveries. At least one of `keyId` and `state` is required. */
export interface DeliveryFilter extends PageFilter {
  readonly keyId?: KeyId;
  readonly state?: DeliveryState;
}

/** A delivery with its last success and the names that belong to its key. */
export interface ListedDelivery extends Delivery, Evidenced, KeyNames {}

/** A page of deliveries, newest event first. */
export interface DeliveryPage {
  readonly deliveries: readonly ListedDelivery[];
  /** The cursor of the next page; null on the last page. Other pages may be short or empty. */
  readonly nextCursor: string | null;
}

/** A page of attempts, newest attempt first. */
export interface AttemptPage {
  readonly attempts: readonly AttemptRecord[];
  readonly nextCursor: string | null;
}

/**
 * Sorts before every event id. With it as the position, a newest-first list continues after all events of the
 * instant.
 */
const BEFORE_ALL_IDS: EventId = 'evt_';

const STATES = ['pending', 'delivered', 'dead', 'cancelled'] as const satisfies readonly DeliveryState[];

const DELIVERY_CURSORS = defineDeliveryCursors('deliveries.list', 'deliveries');
const DEAD_CURSORS = defineDeliveryCursors('deliveries.listDead', 'dead letters');

function defineDeliveryCursors(command: string, list: string): PageCursors<DeliveryPosition> {
  return definePageCursors({
    command,
    list,
    valuesOf: ({ eventAt, eventId }) => [eventAt, eventId],
    positionOf: ([eventAt, eventId]) =>
      isCursorNumber(eventAt) && isCursorId<EventId>(eventId) ? { eventAt, eventId } : null,
  });
}

const ATTEMPT_CURSORS = definePageCursors<AttemptPosition>({
  command: 'deliveries.listAttempts',
  list: 'attempts',
  valuesOf: ({ endedAt, eventId, number }) => [endedAt, eventId, number],
  positionOf: ([endedAt, eventId, number]) =>
    isCursorNumber(endedAt) && isCursorId<EventId>(eventId) && isCursorNumber(number)
      ? { endedAt, eventId, number }
      : null,
});

export async function listAttempts(
  read: Repositories,
  filter: PageFilter & { readonly keyId: KeyId },
): Promise<AttemptPage> {
  const { keyId, since = 0, until } = filter;
  const inspection = inspect('deliveries.listAttempts');
  inspectInstant(inspection, since, 'since');
  inspectInstant(inspection, until, 'until');
  inspection.end();
  const binding = [keyId, since, until ?? null];
  const newest = until === undefined ? undefined : { endedAt: until, eventId: BEFORE_ALL_IDS, number: 0 };
  const { rows, nextCursor } = await readPage(ATTEMPT_CURSORS, binding, filter, ({ after, limit }) => {
    const start = after ?? newest;
    return read.deliveries.listAttempts({ keyId, from: since, ...(start && { after: start }), limit });
  });
  return { attempts: rows, nextCursor };
}

interface Page {
  readonly deliveries: readonly Delivery[];
  readonly next: DeliveryPosition | null;
}

interface Query {
  readonly from: Instant;
  readonly after: DeliveryPosition | undefined;
  readonly limit: number;
}

export async function listDeliveries(read: Repositories, filter: DeliveryFilter): Promise<DeliveryPage> {
  inspectFilter(filter);
  return listPage(read, DELIVERY_CURSORS, filter);
}

/** Lists dead letters. */
export function listDead(
  read: Repositories,
  filter: PageOptions & { readonly keyId?: KeyId },
): Promise<DeliveryPage> {
  return listPage(read, DEAD_CURSORS, { ...filter, state: 'dead' });
}

async function listPage(
  read: Repositories,
  cursors: PageCursors<DeliveryPosition>,
  filter: DeliveryFilter,
): Promise<DeliveryPage> {
  const { keyId = null, state = null, since = 0, until } = filter;
  const limit = checkedLimit(cursors.command, filter.limit);
  const binding = [keyId, state, since, until ?? null];
  const position = cursors.read(binding, filter.cursor);
  const newest = until === undefined ? undefined : { eventAt: until, eventId: BEFORE_ALL_IDS };
  const query = { from: since, after: position ?? newest, limit };
  const { deliveries, next } = await readDeliveries(read, keyId, state, query);
  return {
    deliveries: await withKeyNames(read, await withEvidence(read, deliveries)),
    nextCursor: next === null ? null : cursors.write(binding, next),
  };
}

function inspectFilter({ keyId, state, since, until }: DeliveryFilter): void {
  const inspection = inspect('deliveries.list');
  inspection.expect(keyId !== undefined || state !== undefined, 'keyId', 'or state must be given');
  if (state !== undefined) inspectChoice(inspection, state, 'state', STATES);
  inspectInstant(inspection, since, 'since');
  inspectInstant(inspection, until, 'until');
  inspection.end();
}

function readDeliveries(
  read: Repositories,
  keyId: KeyId | null,
  state: DeliveryState | null,
  query: Query,
): Promise<Page> {
  if (keyId !== null && state === null) return listLog(read, keyId, query);
  if (keyId !== null && state === 'delivered') return listDelivered(read, keyId, query);
  if (keyId !== null && state === 'pending') return listPending(read, keyId, query);
  if (state === 'pending') return listAllPending(read, query);
  return listRows(read, keyId, state ?? 'pending', query);
}

async function listRows(
  read: Repositories,
  keyId: KeyId | null,
  state: DeliveryState,
  { from, after, limit }: Query,
): Promise<Page> {
  const start = after === undefined ? {} : { after };
  return cut(await read.deliveries.list({ keyId, state, from, ...start, limit: limit + 1 }), limit);
}

async function listLog(read: Repositories, keyId: KeyId, { from, after, limit }: Query): Promise<Page> {
  return cut(await readLog(read, keyId, { from, before: instantOf(after), limit: limit + 1 }), limit);
}

/** Lists delivered events. It reads a limited part of the event log, so the page may be short. */
async function listDelivered(read: Repositories, keyId: KeyId, { from, after, limit }: Query): Promise<Page> {
  const [backlog] = await read.endpoints.backlogs(keyId, 0, 1);
  const before = Math.min(instantOf(after), backlog?.oldestUnsentAt ?? Number.MAX_SAFE_INTEGER);
  const scanLimit = LIST_LIMIT.max + 1;
  const all = await readLog(read, keyId, { from, before, limit: scanLimit });
  const delivered = all.filter(({ state }) => state === 'delivered');
  const page = cut(delivered, limit);
  if (page.next !== null || all.length < scanLimit) return page;
  return { ...page, next: positionOf(all.at(-1)) };
}

async function readLog(
  read: Repositories,
  keyId: KeyId,
  range: { readonly from: Instant; readonly before: Instant; readonly limit: number },
): Promise<readonly Delivery[]> {
  const events = await read.events.listNewest({ keyId, ...range });
  const ids = events.map(({ id }) => id);
  // Rows are read last, because a row that was added meanwhile takes precedence over the log.
  const rows = await read.deliveries.find(keyId, ids);
  return events.map((event, index) => rows[index] ?? deliveryWithoutRow(event, event.isPassed));
}

async function listPending(read: Repositories, keyId: KeyId, { from, after, limit }: Query): Promise<Page> {
  const events = await read.events.listNewest({ keyId, from, before: instantOf(after), limit: limit + 1 });
  const rows = (await listRows(read, keyId, 'pending', { from, after, limit: limit + 1 })).deliveries;
  const unsent = events.filter(({ isPassed }) => !isPassed);
  return cut(mergePending(unsent, rows), limit);
}

async function listAllPending(read: Repositories, { from, after, limit }: Query): Promise<Page> {
  const before = { at: instantOf(after), id: after?.eventId ?? '' } as const;
  const events = await read.events.listUnsent({ from, before, limit: limit + 1 });
  // Rows are read last, because a new row takes precedence over the log.
  const rows = (await listRows(read, null, 'pending', { from, after, limit: limit + 1 })).deliveries;
  return cut(mergePending(events, rows), limit);
}

/** Newest event first. */
function mergePending(unsent: readonly LoggedEvent[], rows: readonly Delivery[]): readonly Delivery[] {
  const withoutRow = unsent.map((event) => deliveryWithoutRow(event, false));
  const merged = new Map([...withoutRow, ...rows].map((delivery) => [delivery.eventId, delivery]));
  return [...merged.values()].sort((a, b) => b.eventAt - a.eventAt || (a.eventId < b.eventId ? 1 : -1));
}

/**
 * Returns the instant before which the list continues. It is exact, because a key's events have unique
 * instants.
 */
function instantOf(after: DeliveryPosition | undefined): Instant {
  return after?.eventAt ?? Number.MAX_SAFE_INTEGER;
}

function cut(deliveries: readonly Delivery[], limit: number): Page {
  const page = deliveries.slice(0, limit);
  return { deliveries: page, next: deliveries.length > limit ? positionOf(page.at(-1)) : null };
}

function positionOf(delivery: Delivery | undefined): DeliveryPosition | null {
  return delivery === undefined ? null : { eventAt: delivery.eventAt, eventId: delivery.eventId };
}
