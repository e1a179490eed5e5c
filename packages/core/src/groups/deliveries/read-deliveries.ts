import { type DeliveryState, deliveryWithoutRow, type StoredDelivery } from '../../domain/delivery.js';
import { allSuccesses, type DeliveryEvidence, mayHaveStored } from '../../domain/delivery-evidence.js';
import type { EndpointState, StoredEndpoint } from '../../domain/endpoint.js';
import type { EventType, LoggedEvent } from '../../domain/event.js';
import type { KeyId } from '../../domain/ids.js';
import type { Instant } from '../../domain/time.js';
import { type KeyNames, withKeyNames } from '../../operator/names.js';
import type { DeliveryPosition } from '../../ports/repositories/deliveries.js';
import type { Repositories } from '../../ports/storage.js';
import { BEFORE_ALL_IDS } from './delivery-filter.js';

/** A delivery with the type of its event, its last success and the names that belong to its key. */
export interface Delivery extends StoredDelivery, KeyNames {
  readonly type: EventType;
  /**
   * The last success, even of an earlier cycle. Null if no attempt succeeded yet, or if a release without evidence
   * recorded the success.
   */
  readonly evidence: DeliveryEvidence | null;
  /** The pause of the endpoint that holds a pending delivery. Null if none does, and in other states. */
  readonly pause: Extract<EndpointState, { readonly kind: 'paused' }> | null;
}

/** What the lists have of a delivery before its names and its evidence are read. */
export type ReadDelivery = Omit<Delivery, 'evidence' | 'pause' | keyof KeyNames>;

/** Which part of a list to read. */
export interface DeliveryRange {
  /** Inclusive. */
  readonly from: Instant;
  readonly after: DeliveryPosition | null;
  readonly limit: number;
}

/** A part of a list, newest event first. */
export interface ReadDeliveries {
  readonly deliveries: readonly ReadDelivery[];
  /** The part has every delivery down to this position. Null if nothing follows the part in the list. */
  readonly reached: DeliveryPosition | null;
}

/** Reads a part of a list. */
export type DeliveryReader = (range: DeliveryRange) => Promise<ReadDeliveries>;

/** Reads the deliveries that have a row, in one state. A null `keyId` means all keys. */
export function rowReader(
  read: Pick<Repositories, 'deliveries' | 'events'>,
  keyId: KeyId | null,
  state: DeliveryState,
): DeliveryReader {
  return async ({ from, after, limit }) => {
    const start = after === null ? {} : { after };
    const rows = await read.deliveries.list({ keyId, state, from, ...start, limit });
    const types = await read.events.findTypes(rows);
    const deliveries = rows.flatMap((row, index) => {
      const type = types[index] ?? null;
      return type === null ? [] : [{ ...row, type }];
    });
    return { deliveries, reached: rows.length < limit ? null : positionOf(rows.at(-1)) };
  };
}

/** Reads the deliveries of all events of a key. */
export function logReader(read: Pick<Repositories, 'deliveries' | 'events'>, keyId: KeyId): DeliveryReader {
  return async (range) => {
    const events = await readLog(read, keyId, range);
    const ids = events.map(({ id }) => id);
    // Rows are read last: if a row was added meanwhile, it is newer than the log and takes precedence.
    const rows = await read.deliveries.find(keyId, ids);
    const deliveries = events.map((event, index) => ({
      ...(rows[index] ?? deliveryWithoutRow(event, event.isPassed)),
      type: event.type,
    }));
    return toPart(deliveries, range);
  };
}

/**
 * Reads the log of a key, from the newest event that was attempted. A page therefore does not have to skip a long
 * backlog of unattempted events.
 */
export function attemptedReader(
  read: Pick<Repositories, 'deliveries' | 'events' | 'endpoints'>,
  keyId: KeyId,
): DeliveryReader {
  const readAll = logReader(read, keyId);
  return async (range) => {
    const [backlog] = await read.endpoints.backlogs(keyId, 0, 1);
    const unsentAt = backlog?.oldestUnsentAt ?? null;
    if (unsentAt === null || (range.after !== null && range.after.eventAt < unsentAt)) return readAll(range);
    return readAll({ ...range, after: { eventAt: unsentAt, eventId: BEFORE_ALL_IDS } });
  };
}

/** Reads the deliveries of a key that were not attempted yet and have no row. May also return other deliveries. */
export function unsentReader(read: Pick<Repositories, 'events'>, keyId: KeyId): DeliveryReader {
  return async (range) => {
    const events = await readLog(read, keyId, range);
    const part = toPart(events.map(toUnsent), range);
    const unsent = events.filter(({ isPassed }) => !isPassed);
    // The list ends at the watermark, because every event behind it was attempted or has a row.
    return { deliveries: unsent.map(toUnsent), reached: unsent.length < events.length ? null : part.reached };
  };
}

/** Like `unsentReader`, for all keys. */
export function allUnsentReader(read: Pick<Repositories, 'events'>): DeliveryReader {
  return async (range) => {
    const { from, after, limit } = range;
    const before = { at: instantOf(after), id: after?.eventId ?? '' } as const;
    return toPart((await read.events.listUnsent({ from, before, limit })).map(toUnsent), range);
  };
}

/** Returns whether the delivery comes after this position in a list that is newest first. */
export function isAfter({ eventAt, eventId }: DeliveryPosition, position: DeliveryPosition): boolean {
  return eventAt < position.eventAt || (eventAt === position.eventAt && eventId < position.eventId);
}

export function positionOf(delivery: DeliveryPosition | undefined): DeliveryPosition | null {
  return delivery === undefined ? null : { eventAt: delivery.eventAt, eventId: delivery.eventId };
}

/**
 * Reads from the instant of the position on, because the position may be that of another key's event at the same
 * instant. A key has at most one event at an instant.
 */
async function readLog(
  { events }: Pick<Repositories, 'events'>,
  keyId: KeyId,
  { from, after, limit }: DeliveryRange,
): Promise<readonly LoggedEvent[]> {
  const before = Math.min(instantOf(after) + 1, Number.MAX_SAFE_INTEGER);
  const found = await events.listNewest({ keyId, from, before, limit: limit + 1 });
  return found
    .filter(({ at, id }) => after === null || isAfter({ eventAt: at, eventId: id }, after))
    .slice(0, limit);
}

function toPart(deliveries: readonly ReadDelivery[], { limit }: DeliveryRange): ReadDeliveries {
  return { deliveries, reached: deliveries.length < limit ? null : positionOf(deliveries.at(-1)) };
}

function toUnsent(event: LoggedEvent): ReadDelivery {
  return { ...deliveryWithoutRow(event, false), type: event.type };
}

function instantOf(after: DeliveryPosition | null): Instant {
  return after?.eventAt ?? Number.MAX_SAFE_INTEGER;
}

/** Returns the recorded successes of each delivery, oldest first. */
export async function findSuccesses(
  { evidence }: Pick<Repositories, 'evidence'>,
  deliveries: readonly StoredDelivery[],
): Promise<readonly (readonly DeliveryEvidence[])[]> {
  const asked = deliveries.filter(mayHaveStored);
  const found = await evidence.find(asked.map(({ keyId, eventAt }) => ({ keyId, at: eventAt })));
  const stored = new Map(asked.map((delivery, index) => [delivery, found[index] ?? []]));
  return deliveries.map((delivery) => allSuccesses(delivery, stored.get(delivery) ?? []));
}

/** Adds the last success of each delivery. */
export async function withEvidence<Row extends StoredDelivery>(
  read: Pick<Repositories, 'evidence'>,
  rows: readonly Row[],
): Promise<readonly (Row & Pick<Delivery, 'evidence'>)[]> {
  const successes = await findSuccesses(read, rows);
  return rows.map((row, index) => ({ ...row, evidence: successes[index]?.at(-1) ?? null }));
}

/** Returns the endpoints of pending deliveries, which decide when these are sent. */
export async function endpointsOf(
  { endpoints }: Pick<Repositories, 'endpoints'>,
  rows: readonly Pick<StoredDelivery, 'keyId' | 'state'>[],
): Promise<ReadonlyMap<KeyId, StoredEndpoint>> {
  const keyIds = new Set(rows.filter(({ state }) => state === 'pending').map(({ keyId }) => keyId));
  const found = keyIds.size === 0 ? [] : await endpoints.findEach([...keyIds]);
  return new Map(found.flatMap((each) => (each === null ? [] : [[each.keyId, each] as const])));
}

/** Adds the pause that holds each delivery. */
export async function withPause<Row extends StoredDelivery>(
  read: Pick<Repositories, 'endpoints'>,
  rows: readonly Row[],
): Promise<readonly (Row & Pick<Delivery, 'pause'>)[]> {
  const endpoints = await endpointsOf(read, rows);
  return rows.map((row) => {
    const state = row.state === 'pending' ? endpoints.get(row.keyId)?.state : undefined;
    return { ...row, pause: state?.kind === 'paused' ? state : null };
  });
}

/** Adds what a list shows beside the rows: the last success, the pause and the names of the key. */
export async function showDeliveries(
  read: Pick<Repositories, 'evidence' | 'names' | 'endpoints'>,
  rows: readonly ReadDelivery[],
): Promise<readonly Delivery[]> {
  return withKeyNames(read, await withPause(read, await withEvidence(read, rows)));
}

/** Like `showDeliveries`, for one. */
export async function showDelivery(
  read: Pick<Repositories, 'evidence' | 'names' | 'endpoints'>,
  row: ReadDelivery,
): Promise<Delivery> {
  const [shown] = await showDeliveries(read, [row]);
  if (shown === undefined) throw new Error('One row has one delivery.');
  return shown;
}
