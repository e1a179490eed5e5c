import { lastNameKey } from '@partner-hiring/core';
import type { ApplicationRecord, ApplicationRepository, NewestPosition } from '@partner-hiring/core/ports';
import type { Cells } from './cells.js';
import { compare, compareBytes, merge } from './merge.js';

/** An application lives in the cell of its key. */
export function applicationsOf(cells: Cells): ApplicationRepository {
  return {
    ...findersOf(cells),
    ...writersOf(cells),
    ...listsOf(cells),
  };
}

type Finders =
  | 'findOwned'
  | 'findBySourceIds'
  | 'find'
  | 'findForUpdate'
  | 'findToErase'
  | 'findKept'
  | 'page';

function findersOf(cells: Cells): Pick<ApplicationRepository, Finders> {
  return {
    findOwned: (pairs) =>
      cells.each(
        'key',
        pairs,
        ({ keyId }) => keyId,
        ({ applications }, own) => applications.findOwned(own),
      ),
    // Most submissions are new, so most results are null. If the partner has moved, the insert fails.
    findBySourceIds: (pairs) =>
      cells.each(
        'key',
        pairs,
        ({ keyId }) => keyId,
        ({ applications }, own) => applications.findBySourceIds(own),
        () => false,
      ),
    find: (ids) =>
      cells.each(
        'application',
        ids,
        (id) => id,
        ({ applications }, own) => applications.find(own),
      ),
    findForUpdate: (ids) =>
      cells.each(
        'application',
        ids,
        (id) => id,
        ({ applications }, own) => applications.findForUpdate(own),
      ),
    findToErase: (ids) =>
      cells.each(
        'application',
        ids,
        (id) => id,
        ({ applications }, own) => applications.findToErase(own),
      ),
    findKept: (ids) =>
      cells.each(
        'application',
        ids,
        (id) => id,
        ({ applications }, own) => applications.findKept(own),
      ),
    // A key without a feed head is not in the cell.
    page: (query) =>
      cells.of(
        'key',
        query.keyId,
        ({ applications }) => applications.page(query),
        ({ head }) => head === 0,
      ),
  };
}

function writersOf(
  cells: Cells,
): Pick<ApplicationRepository, 'saveProgress' | 'saveResume' | 'fillLastNameKeys'> {
  return {
    saveProgress: async (saved) => {
      await cells.split(
        'key',
        saved,
        ({ keyId }) => keyId,
        ({ applications }, own) => applications.saveProgress(own),
      );
    },
    saveResume: (id, resume) =>
      cells.of('application', id, ({ applications }) => applications.saveResume(id, resume)),
    fillLastNameKeys: (limit) =>
      cells.countInTurn('applications.fillLastNameKeys', limit, ({ applications }, left) =>
        applications.fillLastNameKeys(left),
      ),
  };
}

type Lists = 'listNewest' | 'listChanges' | 'listBySourceId' | 'listByLastName' | 'listErased';

function listsOf(cells: Cells): Pick<ApplicationRepository, Lists> {
  return {
    listNewest: async (filter) => {
      const { scope, limit } = filter;
      if (scope !== null && 'keyId' in scope) {
        return cells.of('key', scope.keyId, ({ applications }) => applications.listNewest(filter));
      }
      return merge(
        await cells.readAll(({ applications }) => applications.listNewest(filter)),
        newestFirst,
        limit,
      );
    },
    listChanges: (filter) =>
      cells.of('key', filter.keyId, ({ applications }) => applications.listChanges(filter)),
    listBySourceId: async (filter) =>
      merge(
        await cells.readAll(({ applications }) => applications.listBySourceId(filter)),
        (one, other) => compare(one.keyId, other.keyId),
        filter.limit,
      ),
    listErased: async (filter) =>
      merge(
        await cells.readAll(({ applications }) => applications.listErased(filter)),
        oldestErasureFirst,
        filter.limit,
      ),
    listByLastName: async ({ range, after = null, limit }) => {
      let anchorKey: string | undefined;
      if (after !== null) {
        const anchor = await cells.of(
          'application',
          after,
          async ({ applications }) => (await applications.find([after]))[0] ?? null,
        );
        anchorKey = anchor === null ? range.before : lastNameKey(anchor.candidate.lastName);
        if (compareBytes(anchorKey, range.from) < 0 || compareBytes(anchorKey, range.before) >= 0)
          return null;
      }
      const filter = { range, after, limit, ...(anchorKey === undefined ? {} : { anchorKey }) };
      const lists = await cells.readAll(
        async ({ applications }) => (await applications.listByLastName(filter)) ?? [],
      );
      return merge(lists, byLastName, limit);
    },
  };
}

function oldestErasureFirst(one: ApplicationRecord, other: ApplicationRecord): number {
  return compare(one.erasedAt ?? 0, other.erasedAt ?? 0) || compare(one.id, other.id);
}

function newestFirst(one: NewestPosition, other: NewestPosition): number {
  return compare(other.submittedAt, one.submittedAt) || compare(other.id, one.id);
}

function byLastName(one: ApplicationRecord, other: ApplicationRecord): number {
  const names = compareBytes(lastNameKey(one.candidate.lastName), lastNameKey(other.candidate.lastName));
  return names || compare(one.id, other.id);
}
