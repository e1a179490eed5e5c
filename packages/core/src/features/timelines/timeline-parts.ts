import type { AuditObject } from '../../domain/audit.js';
import type { ApplicationId, KeyId } from '../../domain/ids.js';
import type { Instant } from '../../domain/time.js';
import { limitOf } from '../../operator/command/fields.js';
import type { Repositories } from '../../ports/storage.js';
import { nameEntries } from '../audit/audit-entries.js';
import { withCallers } from '../request-log/find-request.js';
import type { RequestScope } from '../request-log/repository.js';
import { entryAt } from './describe-fact.js';
import type { Timeline, TimelineEntry, TimelineOptions } from './timeline.js';

export async function findActs(
  read: Pick<Repositories, 'audit' | 'names' | 'partners'>,
  objects: readonly AuditObject[],
  window: TimelineWindow,
): Promise<TimelinePart> {
  const { from: since, until, limit } = window;
  const parts: TimelinePart[] = [];
  const seen = new Set<string>();
  for (const object of objects) {
    const rows = await read.audit.list({
      selection: { by: 'object', object },
      since,
      until,
      after: null,
      limit,
    });
    const named = await nameEntries(read, rows);
    parts.push(
      partOf(window, named, (auditEntry) => {
        if (seen.has(auditEntry.id)) return [];
        seen.add(auditEntry.id);
        return [entryAt(auditEntry.at, { kind: 'command', auditEntry })];
      }),
    );
  }
  const cuts = parts.flatMap(({ cutAt }) => cutAt ?? []);
  return {
    entries: parts.flatMap(({ entries }) => entries),
    cutAt: cuts.length === 0 ? null : Math.max(...cuts),
  };
}

/** The requests of an application, or the failed requests of a key. */
export async function findLoggedRequests(
  read: Pick<Repositories, 'requests' | 'names'>,
  scope: { readonly applicationId: ApplicationId } | { readonly keyId: KeyId },
  window: TimelineWindow,
): Promise<TimelinePart> {
  const { from, until, limit } = window;
  const onlyErrors = 'keyId' in scope;
  const page = { scope: scope as RequestScope, onlyErrors, from, until, after: null, limit };
  const rows = await withCallers(read, await read.requests.list(page));
  return partOf(window, rows, (request) => [entryAt(request.at, { kind: 'request', request })]);
}

export interface TimelineWindow {
  /** Inclusive. */
  readonly from: Instant;
  /** Exclusive. */
  readonly until: Instant;
  readonly limit: number;
}

/** Entries of one kind. */
export interface TimelinePart {
  readonly entries: readonly TimelineEntry[];
  /** If the limit was reached, the time of the oldest row: earlier rows may exist. Otherwise null. */
  readonly cutAt: Instant | null;
}

export function windowOf({ since, until, limit }: TimelineOptions): TimelineWindow {
  return {
    from: since ?? 0,
    until: until ?? Number.MAX_SAFE_INTEGER,
    limit: limitOf(limit),
  };
}

/** Makes a part of rows that were read newest first, up to the limit of the window. */
export function partOf<Row extends { readonly at: Instant }>(
  { limit }: TimelineWindow,
  rows: readonly Row[],
  entriesOf: (row: Row) => readonly TimelineEntry[],
): TimelinePart {
  const last = rows.at(-1);
  return {
    entries: rows.flatMap(entriesOf),
    cutAt: rows.length < limit || last === undefined ? null : last.at,
  };
}

export function wholePart(entries: readonly TimelineEntry[]): TimelinePart {
  return { entries, cutAt: null };
}

/** The order of entries of one instant. */
const RANKS: readonly TimelineEntry['kind'][] = [
  'submitted',
  'request',
  'command',
  'event',
  'attempt',
  'delivered',
  'resume',
  'inbox',
  'read',
];

/** Merges parts, oldest entry first. Leaves out the times for which a part is not complete. */
export function mergeParts(window: TimelineWindow, parts: readonly TimelinePart[]): Omit<Timeline, 'news'> {
  const newestFirst = parts
    .flatMap(({ entries }) => entries)
    .filter(({ at }) => at >= window.from && at < window.until)
    .sort((a, b) => b.at - a.at || RANKS.indexOf(b.kind) - RANKS.indexOf(a.kind));
  const firstLeftOut = newestFirst[window.limit];
  const cuts = parts.flatMap(({ cutAt }) => cutAt ?? []);
  const cut = Math.max(...cuts, firstLeftOut?.at ?? -1);
  if (cut < 0) return { entries: newestFirst.reverse(), completeFrom: null };
  const complete = newestFirst.filter(({ at }) => at > cut);
  if (complete.length > 0) return { entries: complete.reverse(), completeFrom: cut + 1 };
  // More entries than the limit have the same time. Returns some of them, because the caller could never get past an
  // empty page.
  const some = newestFirst.filter(({ at }) => at === cut).slice(0, window.limit);
  return { entries: some.reverse(), completeFrom: cut };
}
