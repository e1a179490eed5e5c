import type { EndpointRepository } from '@partner-hiring/core/ports';
import { merge, sum } from '../routing/merge.js';
import { byAgeAndKey, byKey } from '../routing/orders.js';
import type { RoutesOf } from '../routing/route.js';

type EndpointRoutes = RoutesOf<EndpointRepository>;

export const listEndpointsOfCells: EndpointRoutes['list'] = async ({ cells, call }, page) => {
  const lists = await cells.readAll((cell) => call(cell, page));
  return merge(lists, page === undefined ? byAgeAndKey : byKey, page?.limit);
};

export const countBounded: EndpointRoutes['countFailing'] = async ({ cells, call }, bound) =>
  Math.min(bound, sum(await cells.readAll((cell) => call(cell, bound))));

/** The method returns fewer rows than keys, so a key without a row is a miss. */
export const withEndpoint: EndpointRoutes['withEndpoint'] = async ({ cells, call }, keyIds) => {
  const have = await cells.each(
    'key',
    keyIds,
    (id) => id,
    async (cell, own) => {
      const found = await call(cell, own);
      return own.map((id) => found.has(id));
    },
    (has) => !has,
  );
  return new Set(keyIds.filter((_, index) => have[index]));
};

/** The method returns fewer rows than keys, so a key without a row is a miss. */
export const backlogsOf: EndpointRoutes['backlogsOf'] = async ({ cells, call }, keyIds, now, bound) => {
  const found = await cells.each(
    'key',
    [...new Set(keyIds)],
    (id) => id,
    async (cell, own) => {
      const known = new Map((await call(cell, own, now, bound)).map((backlog) => [backlog.keyId, backlog]));
      return own.map((id) => known.get(id) ?? null);
    },
  );
  return found.filter((backlog) => backlog !== null).sort(byKey);
};
