import { type ApplicationRecord, type ApplicationRepository, lastNameKey } from '@partner-hiring/core/ports';
import { compare, compareBytes, merge } from '../routing/merge.js';
import type { RoutesOf } from '../routing/route.js';

/** Finds the application after which the list continues in its cell, and passes its last name to all cells. */
export const listByLastName: RoutesOf<ApplicationRepository>['listByLastName'] = async (
  { cells, call },
  { range, after = null, limit },
) => {
  let anchorKey: string | undefined;
  if (after !== null) {
    const anchor = await cells.of(
      'application',
      after,
      async ({ applications }) => (await applications.find([after]))[0] ?? null,
    );
    anchorKey = anchor === null ? range.before : lastNameKey(anchor.candidate.lastName);
    if (compareBytes(anchorKey, range.from) < 0 || compareBytes(anchorKey, range.before) >= 0) return null;
  }
  const filter = { range, after, limit, ...(anchorKey === undefined ? {} : { anchorKey }) };
  const lists = await cells.readAll(async (cell) => (await call(cell, filter)) ?? []);
  return merge(lists, byLastName, limit);
};

function byLastName(one: ApplicationRecord, other: ApplicationRecord): number {
  const names = compareBytes(lastNameKey(one.candidate.lastName), lastNameKey(other.candidate.lastName));
  return names || compare(one.id, other.id);
}
