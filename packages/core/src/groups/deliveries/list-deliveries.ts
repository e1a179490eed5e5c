import type { AttemptRecord, DeliveryState } from '../../domain/delivery.js';
import type { ApplicationId, KeyId } from '../../domain/ids.js';
import { isGiven } from '../../domain/optional.js';
import { LIST_LIMIT, limitOf } from '../../operator/command/fields.js';
import { definePageCursors, type Page, readPage } from '../../operator/page-cursor.js';
import type { Runner } from '../../operator/scope.js';
import type { AttemptPosition, DeliveryPosition } from '../../ports/repositories/deliveries.js';
import type { Repositories } from '../../ports/storage.js';
import {
  assertPossible,
  BEFORE_ALL_IDS,
  type DeliveryFilter,
  type DeliveryWait,
  type PageFilter,
} from './delivery-filter.js';
import { findStandings } from './find-delivery.js';
import { findEvents } from './find-events.js';
import {
  allUnsentReader,
  attemptedReader,
  type Delivery,
  type DeliveryRange,
  type DeliveryReader,
  endpointsOf,
  isAfter,
  logReader,
  positionOf,
  type ReadDeliveries,
  type ReadDelivery,
  rowReader,
  showDeliveries,
  unsentReader,
} from './read-deliveries.js';

const CURSORS = definePageCursors<DeliveryPosition>('deliveries', { eventAt: 'number', eventId: 'id' });

type Reading = Pick<Runner, 'read' | 'now'>;

export async function listDeliveries(reading: Reading, filter: DeliveryFilter): Promise<Page<Delivery>> {
  const { read } = reading;
  assertPossible(filter);
  const { keyId, partnerId, applicationId, state, type, onlyFailing, waits, since = 0, until } = filter;
  const limit = limitOf(filter.limit);
  const chosen = [
    keyId,
    state,
    since,
    until,
    partnerId,
    applicationId,
    type,
    onlyFailing || undefined,
    waits,
  ];
  const binding = chosen.map((value) => value ?? null);
  const position = CURSORS.read(binding, filter.cursor);
  const newest = until === undefined ? null : { eventAt: until, eventId: BEFORE_ALL_IDS };
  const readers = await readersOf(read, filter);
  const range = { from: since, after: position ?? newest, limit };
  const { deliveries, reached } = await readMatching(reading, readers, filter, range);
  return {
    items: await showDeliveries(read, deliveries),
    nextCursor: reached === null ? null : CURSORS.write(binding, reached),
  };
}

/**
 * Returns the lists to merge. If two lists have the same delivery, the later list takes precedence, because it is read
 * later.
 */
async function readersOf(read: Repositories, filter: DeliveryFilter): Promise<readonly DeliveryReader[]> {
  const { applicationId, onlyFailing } = filter;
  const state = onlyFailing || isGiven(filter.waits) ? 'pending' : (filter.state ?? null);
  const keyIds = await keysOfFilter(read, filter);
  if (isGiven(applicationId)) return [applicationReader(read, applicationId, keyIds)];
  if (keyIds !== null)
    return keyIds.flatMap((keyId) => readersOfKey(read, keyId, state, onlyFailing ?? false));
  if (state === 'pending' && !onlyFailing) return [allUnsentReader(read), rowReader(read, null, state)];
  if (state === null) throw new Error('A filter without a key, a partner or an application needs a state.');
  return [rowReader(read, null, state)];
}

function readersOfKey(
  read: Repositories,
  keyId: KeyId,
  state: DeliveryState | null,
  onlyFailing: boolean,
): readonly DeliveryReader[] {
  if (state === null) return [logReader(read, keyId)];
  if (state === 'delivered') return [attemptedReader(read, keyId)];
  // A delivery gets a row when its first attempt fails, so all failing deliveries have rows.
  if (state === 'pending' && !onlyFailing) return [unsentReader(read, keyId), rowReader(read, keyId, state)];
  return [rowReader(read, keyId, state)];
}

/** Returns null if the filter has neither a key nor a partner. A partner has at most one key in each environment. */
export async function keysOfFilter(
  { keys }: Pick<Repositories, 'keys'>,
  { keyId, partnerId }: Pick<DeliveryFilter, 'keyId' | 'partnerId'>,
): Promise<readonly KeyId[] | null> {
  if (isGiven(keyId)) return [keyId];
  return isGiven(partnerId) ? (await keys.list(partnerId)).map(({ id }) => id) : null;
}

/** Finds the event by its stamp, so it needs no index by application. */
function applicationReader(
  read: Repositories,
  id: ApplicationId,
  keyIds: readonly KeyId[] | null,
): DeliveryReader {
  return async ({ from, after }) => {
    const [application] = await read.applications.find([id]);
    if (!application || keyIds?.includes(application.keyId) === false)
      return { deliveries: [], reached: null };
    const events = await findEvents({ tx: read }, [application]);
    const ids = events.map((event) => event.id);
    const standings = await findStandings(read, application.keyId, ids);
    const deliveries = standings
      .flatMap((standing) => (standing === null ? [] : [{ ...standing.delivery, type: standing.event.type }]))
      .filter((delivery) => delivery.eventAt >= from && (after === null || isAfter(delivery, after)));
    return { deliveries, reached: null };
  };
}

/** Returns a test for what pending deliveries wait for. */
async function waitTest(
  { read, now }: Reading,
  deliveries: readonly ReadDelivery[],
  waits: DeliveryWait,
): Promise<(delivery: ReadDelivery) => boolean> {
  const endpoints = await endpointsOf(read, deliveries);
  const at = await now();
  // In a burst, the stamps of new events run ahead of the clock.
  const waitOf = ({ keyId, attempts, dueAt }: ReadDelivery): DeliveryWait | null => {
    const endpoint = endpoints.get(keyId);
    if (endpoint === undefined) return null;
    if (endpoint.state.kind === 'paused') return 'held';
    return endpoint.health.gap !== null || (attempts > 0 && (dueAt ?? 0) > at) ? 'later' : 'due';
  };
  return (delivery) => delivery.state === 'pending' && waitOf(delivery) === waits;
}

/** How many deliveries the first, short read takes for each row of the page. */
const READ_PER_MATCH = 4;

/**
 * Merges lists, and keeps the deliveries that match the filter. If the lists also have other deliveries, it reads only
 * a limited part of them, so the page may be short. Most pages are full after a short read. A long read follows only if
 * the page is not full.
 */
async function readMatching(
  reading: Reading,
  readers: readonly DeliveryReader[],
  { state, type, waits, onlyFailing = false }: DeliveryFilter,
  range: DeliveryRange,
): Promise<ReadDeliveries> {
  const isFiltered = [type, waits].some(isGiven) || onlyFailing || state === 'delivered';
  const most = isFiltered ? LIST_LIMIT.max + 1 : range.limit + 1;
  const first = Math.min(most, READ_PER_MATCH * (range.limit + 1));
  const matching: ReadDelivery[] = [];
  let reached: DeliveryPosition | null = range.after;
  for (const limit of [first, most - first]) {
    if (limit === 0 || matching.length > range.limit) break;
    const part = await readMerged(readers, { ...range, after: reached, limit });
    reached = part.reached;
    const isChosen = isGiven(waits) ? await waitTest(reading, part.deliveries, waits) : () => true;
    matching.push(
      ...part.deliveries.filter(
        (delivery) =>
          isChosen(delivery) &&
          (state === undefined || delivery.state === state) &&
          (type === undefined || delivery.type === type) &&
          (!onlyFailing || (delivery.state === 'pending' && delivery.attempts > 0)),
      ),
    );
    if (reached === null) break;
  }
  const page = matching.slice(0, range.limit);
  return { deliveries: page, reached: matching.length > page.length ? positionOf(page.at(-1)) : reached };
}

async function readMerged(readers: readonly DeliveryReader[], range: DeliveryRange): Promise<ReadDeliveries> {
  const parts: ReadDeliveries[] = [];
  for (const readPart of readers) parts.push(await readPart(range));
  return mergeParts(parts);
}

/**
 * Merges parts, newest event first. If a part is followed by more of its list, deliveries after its end may be missing.
 * The result therefore ends where the first such part ends.
 */
function mergeParts(parts: readonly ReadDeliveries[]): ReadDeliveries {
  const [reached = null] = parts
    .flatMap((part) => part.reached ?? [])
    .sort((first, second) => (isAfter(first, second) ? 1 : -1));
  const byEvent = new Map(
    parts.flatMap((part) => part.deliveries).map((delivery) => [delivery.eventId, delivery]),
  );
  const deliveries = [...byEvent.values()]
    .filter((delivery) => reached === null || !isAfter(delivery, reached))
    .sort((first: ReadDelivery, second: ReadDelivery) => (isAfter(first, second) ? 1 : -1));
  return { deliveries, reached };
}

const ATTEMPT_CURSORS = definePageCursors<AttemptPosition>('attempts', {
  endedAt: 'number',
  eventId: 'id',
  number: 'number',
});

export async function listAttempts(
  read: Repositories,
  filter: PageFilter & { readonly keyId: KeyId },
): Promise<Page<AttemptRecord>> {
  const { keyId, since = 0, until } = filter;
  const binding = [keyId, since, until ?? null];
  const newest = until === undefined ? undefined : { endedAt: until, eventId: BEFORE_ALL_IDS, number: 0 };
  return readPage(ATTEMPT_CURSORS, binding, filter, ({ after, limit }) => {
    const start = after ?? newest;
    return read.deliveries.listAttempts({ keyId, from: since, after: start, limit });
  });
}
