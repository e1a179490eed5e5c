import type { EventRepository, FeedRepository } from '@partner-hiring/core/ports';
import { sum } from '../routing/merge.js';
import * as order from '../routing/orders.js';
import { allCells, countInTurn, each, joined, merged, of, type RoutesOf, split } from '../routing/route.js';
import { includesNull, isNotRecorded } from '../routing/rows.js';
import { takeStampsOfCells } from './take-stamps.js';

/** The head of a feed, and its log, are in the cell of the key. */
export const feed: RoutesOf<FeedRepository> = {
  take: takeStampsOfCells,
  takeSoon: takeStampsOfCells,
  takeFree: each('key', ({ keyId }) => keyId),
  listHeads: allCells(joined),
  listRecording: async ({ cells, call }, isOn, limit) => {
    const found = await cells.readAll((cell) => call(cell, isOn, limit));
    return joined(found).slice(0, limit);
  },
  setRecording: split('key', (id) => id),
  setFreeRecording: split('key', (id) => id, sum),
};

export const events: RoutesOf<EventRepository> = {
  page: of('key', ({ keyId }) => keyId, isNotRecorded),
  append: split('key', ({ keyId }) => keyId),
  readLogs: each('key', ({ keyId }) => keyId),
  find: of('key', (keyId) => keyId, includesNull),
  findKey: allCells((found) => found.find((keyId) => keyId !== null) ?? null),
  findTypes: each('key', ({ keyId }) => keyId),
  listNewest: of('key', ({ keyId }) => keyId),
  listUnsent: merged(order.newestEventFirst),
  sweep: countInTurn,
};
