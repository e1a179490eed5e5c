import type {
  EventRepository,
  FeedRepository,
  Instant,
  LoggedEvent,
  StampRequest,
} from '@partner-hiring/core/ports';
import { MissingFeedHead } from '../repositories/feed.js';
import type { Cells } from './cells.js';
import { all, compare, merge } from './merge.js';

/** A feed lives in the cell of its key. */
export function feedOf(cells: Cells): FeedRepository {
  const take = (name: 'take' | 'takeSoon') => async (requests: readonly StampRequest[], now: Instant) => {
    const ranges = await cells.each(
      'key',
      requests,
      ({ keyId }) => keyId,
      async ({ feed }, own) => {
        const takeOne = (request: StampRequest) => feed[name]([request], now).catch(nullIfMissing);
        const taken = await feed[name](own, now).catch(nullIfMissing);
        // If one of the keys has moved, the others take other stamps. Unused stamps do no harm.
        return taken ?? (await all(own.map(takeOne))).map((range) => range?.[0] ?? null);
      },
    );
    return ranges.map((range, index) => {
      if (range === null) throw new MissingFeedHead(requests[index]?.keyId);
      return range;
    });
  };
  return {
    take: take('take'),
    takeSoon: take('takeSoon'),
    takeFree: (requests, now) =>
      cells.each(
        'key',
        requests,
        ({ keyId }) => keyId,
        ({ feed }, own) => feed.takeFree(own, now),
      ),
    listHeads: async (environment) => {
      const lists = await cells.readAll(({ feed }) => feed.listHeads(environment));
      return lists.flat();
    },
  };
}

function nullIfMissing(error: unknown): null {
  if (error instanceof MissingFeedHead) return null;
  throw error;
}

/** An event lives in the cell of its key. */
export function eventsOf(cells: Cells): EventRepository {
  return {
    append: async (events) => {
      await cells.split(
        'key',
        events,
        ({ keyId }) => keyId,
        ({ events: log }, own) => log.append(own),
      );
    },
    readLogs: (asked) =>
      cells.each(
        'key',
        asked,
        ({ keyId }) => keyId,
        ({ events }, own) => events.readLogs(own),
      ),
    find: async (keyId, ids) => {
      const isMiss = (found: readonly unknown[]) => found.includes(null);
      return cells.of('key', keyId, ({ events }) => events.find(keyId, ids), isMiss);
    },
    findKey: async (id) => {
      const found = await cells.readAll(({ events }) => events.findKey(id));
      return found.find((keyId) => keyId !== null) ?? null;
    },
    findTypes: (asked) =>
      cells.each(
        'key',
        asked,
        ({ keyId }) => keyId,
        ({ events }, own) => events.findTypes(own),
      ),
    listNewest: (filter) => cells.of('key', filter.keyId, ({ events }) => events.listNewest(filter)),
    listUnsent: async (filter) =>
      merge(await cells.readAll(({ events }) => events.listUnsent(filter)), newestFirst, filter.limit),
    sweep: (before, limit) =>
      cells.countInTurn('events.sweep', limit, ({ events }, left) => events.sweep(before, left)),
  };
}

function newestFirst(one: LoggedEvent, other: LoggedEvent): number {
  return compare(other.at, one.at) || compare(other.id, one.id);
}
