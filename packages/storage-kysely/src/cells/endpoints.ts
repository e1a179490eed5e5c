import type { EndpointRepository } from '@partner-hiring/core/ports';
import type { Cells } from './cells.js';
import { compare, merge, sum } from './merge.js';

/** An endpoint lives in the cell of its key. */
export function endpointsOf(cells: Cells): EndpointRepository {
  return { ...endpointRowsOf(cells), ...endpointListsOf(cells), ...leasesOf(cells) };
}

interface OfKey {
  readonly keyId: string;
}

const byKey = (one: OfKey, other: OfKey) => compare(one.keyId, other.keyId);

type Rows = 'find' | 'findEach' | 'findForUpdate' | 'save' | 'saveWarnings' | 'withEndpoint';

function endpointRowsOf(cells: Cells): Pick<EndpointRepository, Rows> {
  return {
    find: (keyId) => cells.of('key', keyId, ({ endpoints }) => endpoints.find(keyId)),
    findEach: (keyIds) =>
      cells.each(
        'key',
        keyIds,
        (id) => id,
        ({ endpoints }, own) => endpoints.findEach(own),
      ),
    findForUpdate: (keyId) => cells.of('key', keyId, ({ endpoints }) => endpoints.findForUpdate(keyId)),
    save: (endpoint) => cells.of('key', endpoint.keyId, ({ endpoints }) => endpoints.save(endpoint)),
    saveWarnings: async (saved) => {
      await cells.split(
        'key',
        saved,
        ({ keyId }) => keyId,
        ({ endpoints }, own) => endpoints.saveWarnings(own),
      );
    },
    withEndpoint: async (keyIds) => {
      const have = await cells.each(
        'key',
        keyIds,
        (id) => id,
        async ({ endpoints }, own) => {
          const found = await endpoints.withEndpoint(own);
          return own.map((id) => found.has(id));
        },
        (has) => !has,
      );
      return new Set(keyIds.filter((_, index) => have[index]));
    },
  };
}

type Lists = 'list' | 'states' | 'listFailing' | 'countFailing' | 'listToWarn' | 'backlogs' | 'backlogsOf';

function endpointListsOf(cells: Cells): Pick<EndpointRepository, Lists> {
  return {
    list: async (page) =>
      merge(
        await cells.readAll(({ endpoints }) => endpoints.list(page)),
        (one, other) =>
          (page === undefined ? compare(one.createdAt, other.createdAt) : 0) || byKey(one, other),
        page?.limit,
      ),
    states: async () => merge(await cells.readAll(({ endpoints }) => endpoints.states()), byKey),
    listFailing: async (page) =>
      merge(
        await cells.readAll(({ endpoints }) => endpoints.listFailing(page)),
        ({ endpoint: one }, { endpoint: other }) =>
          compare(one.health.firstFailureAt ?? 0, other.health.firstFailureAt ?? 0) || byKey(one, other),
        page.limit,
      ),
    countFailing: async (bound) =>
      Math.min(bound, sum(await cells.readAll(({ endpoints }) => endpoints.countFailing(bound)))),
    listToWarn: (now, limit) =>
      cells.inTurn('endpoints.listToWarn', limit, ({ endpoints }, left) => endpoints.listToWarn(now, left)),
    backlogs: async (keyId, now, bound) =>
      keyId === null
        ? merge(await cells.readAll(({ endpoints }) => endpoints.backlogs(null, now, bound)), byKey)
        : cells.of('key', keyId, ({ endpoints }) => endpoints.backlogs(keyId, now, bound)),
    backlogsOf: async (keyIds, now, bound) => {
      const found = await cells.each(
        'key',
        [...new Set(keyIds)],
        (id) => id,
        async ({ endpoints }, own) => {
          const backlogs = await endpoints.backlogsOf(own, now, bound);
          const known = new Map(backlogs.map((backlog) => [backlog.keyId, backlog]));
          return own.map((id) => known.get(id) ?? null);
        },
      );
      return found.filter((backlog) => backlog !== null).sort(byKey);
    },
  };
}

type Leases = Exclude<keyof EndpointRepository, Rows | Lists>;

/** Workers lease from one cell after the other. A move keeps leases. */
function leasesOf(cells: Cells): Pick<EndpointRepository, Leases> {
  return {
    lease: (lease, now, limit, except) =>
      cells.inTurn('endpoints.lease', limit, ({ endpoints }, left) =>
        endpoints.lease(lease, now, left, except),
      ),
    markIdle: (before, limit) =>
      cells.countInTurn('endpoints.markIdle', limit, ({ endpoints }, left) =>
        endpoints.markIdle(before, left),
      ),
    poll: (asked, now) =>
      cells.each(
        'key',
        asked,
        ({ keyId }) => keyId,
        ({ endpoints }, own) => endpoints.poll(own, now),
        ({ endpoint }) => endpoint === null,
      ),
    renew: (leases) =>
      cells.each(
        'key',
        leases,
        ({ keyId }) => keyId,
        ({ endpoints }, own) => endpoints.renew(own),
        (state) => state === 'lost',
      ),
    findLeased: (holdings) =>
      cells.each(
        'key',
        holdings,
        ({ keyId }) => keyId,
        ({ endpoints }, own) => endpoints.findLeased(own),
      ),
    settle: async (settlements) => {
      await cells.split(
        'key',
        settlements,
        ({ keyId }) => keyId,
        ({ endpoints }, own) => endpoints.settle(own),
      );
    },
    advanceWatermark: (keyId, watermark) =>
      cells.of(
        'key',
        keyId,
        ({ endpoints }) => endpoints.advanceWatermark(keyId, watermark),
        (hasMoved) => !hasMoved,
      ),
    release: async (holdings) => {
      await cells.splitLoosely(
        'key',
        holdings,
        ({ keyId }) => keyId,
        ({ endpoints }, own) => endpoints.release(own),
      );
    },
  };
}
