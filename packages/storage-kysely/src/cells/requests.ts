import type { RequestPosition, RequestRepository } from '@partner-hiring/core/ports';
import type { Cells } from './cells.js';
import { compare, merge } from './merge.js';

/** A request is logged in the cell of its key. Requests without a key are logged in the home cell. */
export function requestsOf(cells: Cells): RequestRepository {
  return {
    add: async (requests) => {
      await cells.splitLoosely(
        'key',
        requests,
        ({ keyId }) => keyId,
        (cell, own) => cell.requests.add(own),
      );
    },
    addReads: async (reads) => {
      await cells.splitLoosely(
        'key',
        reads,
        ({ keyId }) => keyId,
        ({ requests }, own) => requests.addReads(own),
      );
    },
    find: (requestId) => cells.of('request', requestId, ({ requests }) => requests.find(requestId)),
    findOldest: (id) => cells.of('application', id, ({ requests }) => requests.findOldest(id)),
    list: async (page) => {
      const { scope, limit } = page;
      if (scope !== null && 'keyId' in scope) {
        return cells.of('key', scope.keyId, ({ requests }) => requests.list(page));
      }
      return merge(await cells.readAll(({ requests }) => requests.list(page)), newestFirst, limit);
    },
    findLastReads: (keyId, route) =>
      cells.of('key', keyId, ({ requests }) => requests.findLastReads(keyId, route)),
    findCoveringReads: (keyId, route, changedAt) =>
      cells.of('key', keyId, ({ requests }) => requests.findCoveringReads(keyId, route, changedAt)),
    listReads: (page) => cells.of('key', page.keyId, ({ requests }) => requests.listReads(page)),
    sweep: (before, limit) =>
      cells.countInTurn('requests.sweep', limit, ({ requests }, left) => requests.sweep(before, left)),
    sweepReads: (before, limit) =>
      cells.countInTurn('requests.sweepReads', limit, ({ requests }, left) =>
        requests.sweepReads(before, left),
      ),
  };
}

function newestFirst(one: RequestPosition, other: RequestPosition): number {
  return compare(other.at, one.at) || compare(other.requestId, one.requestId);
}
