import { READ_ROUTES } from '../../domain/answered-request.js';
import { deliveryWithoutRow } from '../../domain/delivery.js';
import type { EventId, KeyId } from '../../domain/ids.js';
import { withEvidence } from '../../groups/deliveries/read-deliveries.js';
import { keyNotFound } from '../../operator/find-or-throw.js';
import type { Repositories } from '../../ports/storage.js';
import { auditObjectsOf } from '../audit/commands.js';
import { entryAt, eventEntry } from './describe-fact.js';
import type { Timeline, TimelineOptions } from './timeline.js';
import {
  findActs,
  findLoggedRequests,
  mergeParts,
  partOf,
  type TimelinePart,
  type TimelineWindow,
  wholePart,
  windowOf,
} from './timeline-parts.js';

/** @throws OperatorError `KEY_NOT_FOUND`. */
export async function findKeyTimeline(
  read: Repositories,
  { keyId, ...options }: TimelineOptions & { readonly keyId: KeyId },
): Promise<Timeline> {
  const window = windowOf(options);
  if ((await read.keys.find(keyId)) === null) throw keyNotFound(keyId);
  const parts = [
    await findLoggedRequests(read, { keyId }, window),
    await findActs(read, auditObjectsOf({ keyId }), window),
    await findEvents(read, keyId, window),
    await findAttempts(read, keyId, window),
    await findLastReads(read, keyId),
  ];
  return { ...mergeParts(window, parts), news: null };
}

async function findEvents(read: Repositories, keyId: KeyId, window: TimelineWindow): Promise<TimelinePart> {
  const { from, until: before, limit } = window;
  const events = await read.events.listNewest({ keyId, from, before, limit });
  const rows = await read.deliveries.find(
    keyId,
    events.map(({ id }) => id),
  );
  const deliveries = events.map((event, index) => rows[index] ?? deliveryWithoutRow(event, event.isPassed));
  const shown = await withEvidence(read, deliveries);
  const pairs = events.map((event, index) => ({ at: event.at, event, delivery: shown[index] }));
  return partOf(window, pairs, ({ event, delivery }) =>
    delivery === undefined ? [] : [eventEntry(event, delivery)],
  );
}

async function findAttempts(
  { deliveries }: Pick<Repositories, 'deliveries'>,
  keyId: KeyId,
  window: TimelineWindow,
): Promise<TimelinePart> {
  const { from, until: endedAt, limit } = window;
  // The empty id sorts before all ids, so rows at `until` itself are left out.
  const after = { endedAt, eventId: '' as string as EventId, number: 0 };
  const attempts = await deliveries.listAttempts({ keyId, from, after, limit });
  const rows = attempts.map((attempt) => ({ at: attempt.endedAt, attempt }));
  return partOf(window, rows, ({ at, attempt }) => [entryAt(at, { kind: 'attempt', attempt })]);
}

/** Finds only the last reads of each route. Otherwise, a key that polls would fill its timeline with reads. */
async function findLastReads(
  { requests }: Pick<Repositories, 'requests'>,
  keyId: KeyId,
): Promise<TimelinePart> {
  const found = await Promise.all(READ_ROUTES.map((route) => requests.findLastReads(keyId, route)));
  return wholePart(
    found.filter((reads) => reads !== null).map((reads) => entryAt(reads.lastAt, { kind: 'read', reads })),
  );
}
