import type {
  ApplicationRecord,
  CandidateRepository,
  ResumeFileRepository,
  ResumeRemoval,
  ResumeRemovalRepository,
} from '@partner-hiring/core/ports';
import type { Cells } from './cells.js';
import { compare, earliest, merge, sum } from './merge.js';

/** A candidate's applications may be in any cell. Each is erased in the cell of its key. */
export function candidatesOf(cells: Cells): CandidateRepository {
  return { ...candidateListsOf(cells), ...erasureOf(cells) };
}

type Lists =
  | 'fillEmailKeys'
  | 'listByEmail'
  | 'listBySpelling'
  | 'listByPhone'
  | 'walk'
  | 'findRecords'
  | 'findEvents'
  | 'findResumeFiles'
  | 'listPostponed';

function candidateListsOf(cells: Cells): Pick<CandidateRepository, Lists> {
  return {
    listByEmail: async (email, range) =>
      merge(await cells.readAll(({ candidates }) => candidates.listByEmail(email, range)), byId, range.limit),
    listBySpelling: async (email, range) =>
      merge(
        await cells.readAll(({ candidates }) => candidates.listBySpelling(email, range)),
        byId,
        range.limit,
      ),
    fillEmailKeys: (limit) =>
      cells.countInTurn('candidates.fillEmailKeys', limit, ({ candidates }, left) =>
        candidates.fillEmailKeys(left),
      ),
    listByPhone: async (phone, range) =>
      merge(await cells.readAll(({ candidates }) => candidates.listByPhone(phone, range)), byId, range.limit),
    walk: async (range) =>
      merge(
        await cells.readAll(({ candidates }) => candidates.walk(range)),
        (one, other) => compare(one.submittedAt, other.submittedAt) || byId(one, other),
        range.limit,
      ),
    findRecords: (applications) =>
      cells.each(
        'key',
        applications,
        ({ keyId }) => keyId,
        ({ candidates }, own) => candidates.findRecords(own),
      ),
    findEvents: (stamps) =>
      cells.each(
        'key',
        stamps,
        ({ keyId }) => keyId,
        ({ candidates }, own) => candidates.findEvents(own),
      ),
    findResumeFiles: (ids) =>
      cells.each(
        'application',
        ids,
        (id) => id,
        ({ candidates }, own) => candidates.findResumeFiles(own),
      ),
    listPostponed: async (ids) => {
      const lists = await cells.readAll(({ candidates }) => candidates.listPostponed(ids));
      return lists.flat();
    },
  };
}

function byId(one: Pick<ApplicationRecord, 'id'>, other: Pick<ApplicationRecord, 'id'>): number {
  return compare(one.id, other.id);
}

type Erasure = Exclude<keyof CandidateRepository, Lists>;

function erasureOf(cells: Cells): Pick<CandidateRepository, Erasure> {
  return {
    cancelResumeFiles: async (ids) => {
      const cancelled = await cells.split(
        'application',
        ids,
        (id) => id,
        ({ candidates }, own) => candidates.cancelResumeFiles(own),
      );
      return cancelled.flat();
    },
    erase: async (ids, at) => {
      const removed = await cells.split(
        'application',
        ids,
        (id) => id,
        ({ candidates }, own) => candidates.erase(own, at),
      );
      return removed.flat();
    },
    saveErasedCounts: async (erased) => {
      await cells.split(
        'application',
        erased,
        ({ id }) => id,
        ({ candidates }, own) => candidates.saveErasedCounts(own),
      );
    },
    findErasedCounts: (ids) =>
      cells.each(
        'application',
        ids,
        (id) => id,
        ({ candidates }, own) => candidates.findErasedCounts(own),
      ),
    clearSourceIds: async (cleared) => {
      await cells.split(
        'application',
        cleared,
        ({ id }) => id,
        ({ candidates }, own) => candidates.clearSourceIds(own),
      );
    },
    saveReplies: async (records) => {
      await cells.split(
        'key',
        records,
        ({ keyId }) => keyId,
        ({ candidates }, own) => candidates.saveReplies(own),
      );
    },
    saveBodies: async (events) => {
      await cells.split(
        'key',
        events,
        ({ keyId }) => keyId,
        ({ candidates }, own) => candidates.saveBodies(own),
      );
    },
    eraseExcerpts: async (deliveries) => {
      const removed = await cells.split(
        'key',
        deliveries,
        ({ keyId }) => keyId,
        ({ candidates }, own) => candidates.eraseExcerpts(own),
      );
      return removed.flat();
    },
  };
}

/** A task is in the cell of its application. Workers claim from one cell after the other. */
export function resumeFilesOf(cells: Cells): ResumeFileRepository {
  return {
    add: (task) => cells.of('key', task.keyId, ({ resumeFiles }) => resumeFiles.add(task)),
    claim: async (lease, now, limit) => {
      const claimed = await cells.inTurn('resumeFiles.claim', limit, ({ resumeFiles }, left) =>
        resumeFiles.claim(lease, now, left),
      );
      return [...claimed].sort(byDue);
    },
    claimOfOthers: async (lease, now, limit, keys) => {
      const claimed = await cells.inTurn('resumeFiles.claimOfOthers', limit, ({ resumeFiles }, left) =>
        resumeFiles.claimOfOthers(lease, now, left, keys),
      );
      return [...claimed].sort(byDue);
    },
    finish: (id, token) =>
      cells.of('application', id, ({ resumeFiles }) => resumeFiles.finish(id, token), isRefused),
    postpone: (task, token) =>
      cells.of('key', task.keyId, ({ resumeFiles }) => resumeFiles.postpone(task, token), isRefused),
  };
}

function byDue(one: Due, other: Due): number {
  return compare(one.dueAt, other.dueAt) || compare(one.applicationId, other.applicationId);
}

type Due = Pick<ResumeRemoval, 'applicationId' | 'dueAt'>;

const isRefused = (done: boolean) => !done;

/** Counts stop here in each cell. */
const MOST_WAITING = 10_000;

/** A removal is in the cell of its application. Workers claim from one cell after the other. */
export function resumeRemovalsOf(cells: Cells): ResumeRemovalRepository {
  return {
    add: async (removals) => {
      await cells.split(
        'application',
        removals,
        ({ applicationId }) => applicationId,
        ({ resumeRemovals }, own) => resumeRemovals.add(own),
      );
    },
    find: (ids) =>
      cells.each(
        'application',
        ids,
        (id) => id,
        ({ resumeRemovals }, own) => resumeRemovals.find(own),
      ),
    counts: async () => {
      const counts = await cells.readAll(({ resumeRemovals }) => resumeRemovals.counts());
      return {
        waiting: Math.min(sum(counts.map(({ waiting }) => waiting)), MOST_WAITING),
        oldestErasedAt: earliest(counts.map(({ oldestErasedAt }) => oldestErasedAt)),
      };
    },
    claim: async (lease, now, limit) => {
      const claimed = await cells.inTurn('resumeRemovals.claim', limit, ({ resumeRemovals }, left) =>
        resumeRemovals.claim(lease, now, left),
      );
      return [...claimed].sort(byDue);
    },
    finish: async (ids, token) => {
      await cells.split(
        'application',
        ids,
        (id) => id,
        ({ resumeRemovals }, own) => resumeRemovals.finish(own, token),
      );
    },
    postpone: async (removals, token) => {
      await cells.split(
        'application',
        removals,
        ({ applicationId }) => applicationId,
        ({ resumeRemovals }, own) => resumeRemovals.postpone(own, token),
      );
    },
  };
}
