import {
  type AttemptRecord,
  type Delivery,
  type DeliveryState,
  deliveryWithoutRow,
} from '../../domain/delivery.js';
import type { KeyId } from '../../domain/ids.js';
import type { Instant } from '../../domain/time.js';
import type { AttemptPosition, DeliveryPosition } from '../../ports/repositories/deliveries.js';
import type { Repositories } from '../../ports/storage.js';
import { checkedLimit, inspect, inspectChoice, inspectInstant, LIST_LIMIT } from '../input.js';
import { BEFORE_ALL_IDS, definePageCursors, isCursorId, isCursorNumber } from './page-cursor.js';

/** A page of a time range. `since` is inclusive, `until` exclusive. */
export interface PageFilter {
  readonly since?: Instant;
  readonly until?: Instant;
  /** The previous page's `nextCursor`. Only `limit` may change. */
  readonly cursor?: string;
  /** 1 to 1000, 100 by default. */
  readonly limit?: number;
}

/** `keyId` or `state` is required. */
export interface DeliveryFilter extends PageFilter {
  readonly keyId?: KeyId;
  readonly state?: DeliveryState;
}

/** The newest event comes first. */
export interface DeliveryPage {
  readonly deliveries: readonly Delivery[];
  /** Null on the last page. Other pages may be short or empty. */
  readonly nextCursor: string | null;
}

/** The newest attempt comes first. */
export interface AttemptPage {
  readonly attempts: readonly AttemptRecord[];
  readonly nextCursor: string | null;
}

const STATES = ['pending', 'delivered', 'dead', 'cancelled'] as const satisfies readonly DeliveryState[];

const DELIVERY_CURSORS = definePageCursors<DeliveryPosition>({
  command: 'deliveries.list',
  list: 'deliveries',
  valuesOf: ({ eventAt, eventId }) => [eventAt, eventId],
  positionOf: ([eventAt, eventId]) =>
    isCursorNumber(eventAt) && isCursorId(eventId) ? { eventAt, eventId } : null,
});

const ATTEMPT_CURSORS = definePageCursors<AttemptPosition>({
  command: 'deliveries.listAttempts',
  list: 'attempts',
  valuesOf: ({ endedAt, eventId, number }) => [endedAt, eventId, number],
  positionOf: ([endedAt, eventId, number]) =>
    isCursorNumber(endedAt) && isCursorId(eventId) && isCursorNumber(number)
      ? { endedAt, eventId, number }
      : null,
});

export async function listAttempts(
  read: Repositories,
  filter: PageFilter & { readonly keyId: KeyId },
): Promise<AttemptPage> {
  const { keyId, since = 0, until } = filter;
  const limit = checkedLimit('deliveries.listAttempts', filter.limit);
  const inspection = inspect('deliveries.listAttempts');
  inspectInstant(inspection, since, 'since');
  inspectInstant(inspection, until, 'until');
  inspection.end();
  const binding = [keyId, since, until ?? null];
  const position = ATTEMPT_CURSORS.read(binding, filter.cursor);
  const newest = until === undefined ? undefined : { endedAt: until, eventId: BEFORE_ALL_IDS, number: 0 };
  const after = position ?? newest;
  const start = after === undefined ? {} : { after };
  const attempts = await read.deliveries.listAttempts({ keyId, from: since, ...start, limit: limit + 1 });
  const page = attempts.slice(0, limit);
  const last = attempts.length > limit ? page.at(-1) : undefined;
  return { attempts: page, nextCursor: last === undefined ? null : ATTEMPT_CURSORS.write(binding, last) };
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
  const { keyId = null, state = null, since = 0, until } = filter;
  const limit = checkedLimit('deliveries.list', filter.limit);
  inspectFilter(filter);
  const binding = [keyId, state, since, until ?? null];
  const position = DELIVERY_CURSORS.read(binding, filter.cursor);
  const newest = until === undefined ? undefined : { eventAt: until, eventId: BEFORE_ALL_IDS };
  const query = { from: since, after: position ?? newest, limit };
  const { deliveries, next } = await readPage(read, keyId, state, query);
  return { deliveries, nextCursor: next === null ? null : DELIVERY_CURSORS.write(binding, next) };
}

function inspectFilter({ keyId, state, since, until }: DeliveryFilter): void {
  const inspection = inspect('deliveries.list');
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
): Promise<Page> {
  if (keyId !== null && state === null) return listLog(read, keyId, query);
  if (keyId !== null && state === 'delivered') return listDelivered(read, keyId, query);
  if (keyId !== null && state === 'pending') return listPending(read, keyId, query);
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

/** Scans a bounded range of the log, so the page may be short. */
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
  // Rows are read last, because a new row takes precedence over the log.
  const rows = await read.deliveries.find(keyId, ids);
  return events.map((event, index) => rows[index] ?? deliveryWithoutRow(event, event.isPassed));
}

async function listPending(read: Repositories, keyId: KeyId, { from, after, limit }: Query): Promise<Page> {
  const events = await read.events.listNewest({ keyId, from, before: instantOf(after), limit: limit + 1 });
  const rows = (await listRows(read, keyId, 'pending', { from, after, limit: limit + 1 })).deliveries;
  const unsent = events.filter(({ isPassed }) => !isPassed).map((event) => deliveryWithoutRow(event, false));
  const merged = new Map([...unsent, ...rows].map((delivery) => [delivery.eventId, delivery]));
  const newestFirst = [...merged.values()].sort((a, b) => b.eventAt - a.eventAt);
  return cut(newestFirst, limit);
}

/** Events of a key have unique instants. */
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
