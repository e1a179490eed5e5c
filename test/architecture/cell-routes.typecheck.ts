/**
 * Each method of each repository needs a route over the cells. Only the compiler reads this file. If an expected error is
 * missing, `npm run typecheck` fails.
 */
import type { EvidenceRepository } from '@partner-hiring/core/ports';
import { ROUTES } from '../../packages/postgres/src/cells/routes/routes.js';
import {
  countInTurn,
  each,
  merged,
  type Routes,
  type RoutesOf,
  split,
} from '../../packages/postgres/src/cells/routing/route.js';

export const complete: RoutesOf<EvidenceRepository> = {
  append: split('key', ({ keyId }) => keyId),
  find: each('key', ({ keyId }) => keyId),
  sweep: countInTurn,
};

// @ts-expect-error: the method `find` has no route
export const missing: RoutesOf<EvidenceRepository> = { append: complete.append, sweep: countInTurn };

export const unknown: RoutesOf<EvidenceRepository> = {
  ...complete,
  // @ts-expect-error: the repository has no such method
  other: countInTurn,
};

export const wrongId: RoutesOf<EvidenceRepository> = {
  ...complete,
  // @ts-expect-error: an item of this batch has no partner
  find: each('key', ({ partnerId }) => partnerId),
};

export const wrongRule: RoutesOf<EvidenceRepository> = {
  ...complete,
  // @ts-expect-error: the method returns a number, which cannot be merged
  sweep: merged((one, other) => Number(one) - Number(other)),
};

const { evidence: _, ...others } = ROUTES;
// @ts-expect-error: a repository has no routes
export const withoutRepository: Routes = others;
