import type {
  ApplicationId,
  InboxClaim,
  InboxRepository,
  KeyId,
  PostponedEntry,
  UnreadEntry,
} from '@partner-hiring/core/ports';
import type { Cells } from './cells.js';
import { compare, earliest, merge, sum } from './merge.js';

/** An entry lives in the cell of its key. Each cell has the switch, because inserts read it. */
export function inboxOf(cells: Cells): InboxRepository {
  return {
    ...switchOf(cells),
    ...claimsOf(cells),
    ...endsOf(cells),
    ...erasuresOf(cells),
    ...parkedOf(cells),
    ...stateOf(cells),
  };
}

function switchOf(cells: Cells): Pick<InboxRepository, 'isOn' | 'turn'> {
  return {
    isOn: () => cells.home.inbox.isOn(),
    turn: async (on) => {
      const [hasChanged = false] = await cells.writeAll(({ inbox }) => inbox.turn(on));
      return hasChanged;
    },
  };
}

type Claims = 'add' | 'findKeys' | 'addHeads' | 'lockHeads' | 'claim' | 'claimAgain' | 'lease';

function claimsOf(cells: Cells): Pick<InboxRepository, Claims> {
  async function claimFrom(
    claim: InboxClaim,
    call: (
      inbox: InboxRepository,
      keyIds: readonly KeyId[],
      limit: number,
    ) => Promise<readonly UnreadEntry[]>,
  ): Promise<readonly UnreadEntry[]> {
    // A remembered cell could be an old one for ever, because a key without entries is no miss.
    const groups = await cells.groupAfresh('key', claim.keyIds, (id) => id);
    const found: UnreadEntry[] = [];
    let keysLeft = claim.keyIds.length;
    for (const [index, keyIds] of groups) {
      // Each key gets an equal share, as in one cell.
      const share = Math.ceil(((claim.limit - found.length) * keyIds.length) / keysLeft);
      keysLeft -= keyIds.length;
      if (share > 0) found.push(...(await call(cells.bound.cell(index).inbox, keyIds, share)));
    }
    return inOrderOfKeys(found);
  }

  return {
    add: async (entries) => {
      await cells.split(
        'key',
        entries,
        ({ keyId }) => keyId,
        ({ inbox }, own) => inbox.add(own),
      );
    },
    findKeys: async (now) => {
      const lists = await cells.readAll(({ inbox }) => inbox.findKeys(now));
      return lists.flat();
    },
    addHeads: async (keyIds) => {
      await cells.split(
        'key',
        keyIds,
        (id) => id,
        ({ inbox }, own) => inbox.addHeads(own),
      );
    },
    // One cell after the other, so that all transactions lock in the same order.
    lockHeads: async (keyIds) => {
      const groups = await cells.groupAfresh('key', keyIds, (id) => id);
      for (const [index, own] of groups) await cells.bound.cell(index).inbox.lockHeads(own);
    },
    claim: (claim) => claimFrom(claim, (inbox, keyIds, limit) => inbox.claim({ ...claim, keyIds, limit })),
    lease: (claim) => claimFrom(claim, (inbox, keyIds, limit) => inbox.lease({ ...claim, keyIds, limit })),
    claimAgain: async (entries, now) => {
      const groups = await cells.groupAfresh('key', entries, ({ keyId }) => keyId);
      const found: UnreadEntry[] = [];
      for (const [index, own] of groups)
        found.push(...(await cells.bound.cell(index).inbox.claimAgain(own, now)));
      return inOrderOfKeys(found);
    },
  };
}

/** Keeps the order within each key. */
function inOrderOfKeys(entries: readonly UnreadEntry[]): readonly UnreadEntry[] {
  return [...entries].sort((one, other) => compare(one.keyId, other.keyId));
}

function endsOf(cells: Cells): Pick<InboxRepository, 'finish' | 'acknowledge' | 'postpone'> {
  return {
    finish: async (entries, now) => {
      await cells.split(
        'key',
        entries,
        ({ keyId }) => keyId,
        ({ inbox }, own) => inbox.finish(own, now),
      );
    },
    acknowledge: async (entries, now) => {
      const named = entries.filter(({ keyId }) => keyId !== undefined);
      const unnamed = entries.filter(({ keyId }) => keyId === undefined);
      const counts = await cells.split(
        'key',
        named,
        ({ keyId = null }) => keyId,
        ({ inbox }, own) => inbox.acknowledge(own, now),
      );
      // An entry exists in one cell at most.
      if (unnamed.length === 0) return sum(counts);
      return sum([...counts, ...(await cells.writeAll(({ inbox }) => inbox.acknowledge(unnamed, now)))]);
    },
    postpone: async (entries) => {
      await cells.split(
        'key',
        entries,
        ({ keyId }) => keyId,
        ({ inbox }, own) => inbox.postpone(own),
      );
    },
  };
}

/**
 * Nothing would notice a row in an old cell, so the writes ask where the keys are. An erasure has locked applications of these
 * keys, so they do not move meanwhile.
 */
function erasuresOf(cells: Cells): Pick<InboxRepository, 'addErasures' | 'findErasures' | 'drop'> {
  return {
    addErasures: async (erased) => {
      const groups = await cells.groupAfresh('key', erased, ({ keyId }) => keyId);
      for (const [index, own] of groups) await cells.bound.cell(index).inbox.addErasures(own);
    },
    findErasures: (of) =>
      cells.each(
        'key',
        of,
        ({ keyId }) => keyId,
        ({ inbox }, own) => inbox.findErasures(own),
      ),
    drop: async (questions) => {
      const groups = await cells.groupAfresh('key', questions, ({ keyId }) => keyId);
      const dropped: ApplicationId[] = [];
      for (const [index, own] of groups) dropped.push(...(await cells.bound.cell(index).inbox.drop(own)));
      return dropped;
    },
  };
}

function parkedOf(cells: Cells): Pick<InboxRepository, 'listParked' | 'retryParked'> {
  return {
    listParked: async (limit, after) =>
      merge(await cells.readAll(({ inbox }) => inbox.listParked(limit, after)), inParkedOrder, limit),
    retryParked: async (which, now) => {
      if ('limit' in which) {
        return cells.countInTurn('inbox.retryParked', which.limit, ({ inbox }, left) =>
          inbox.retryParked({ limit: left }, now),
        );
      }
      const retried = await cells.writeAll(({ inbox }) => inbox.retryParked(which, now));
      return sum(retried);
    },
  };
}

function inParkedOrder(one: PostponedEntry, other: PostponedEntry): number {
  return (
    compare(one.keyId, other.keyId) ||
    compare(one.at, other.at) ||
    compare(one.applicationId, other.applicationId)
  );
}

/** Counts stop here. */
const COUNT_BOUND = 10_000;

function stateOf(cells: Cells): Pick<InboxRepository, 'counts' | 'findEntry' | 'sweepReceipts'> {
  return {
    counts: async () => {
      const counts = await cells.readAll(({ inbox }) => inbox.counts());
      const unread = sum(counts.map((count) => count.unread));
      const parked = sum(counts.map((count) => count.parked));
      return {
        unread: Math.min(unread, COUNT_BOUND),
        parked: Math.min(parked, COUNT_BOUND),
        oldestUnreadAt: earliest(counts.map(({ oldestUnreadAt }) => oldestUnreadAt)),
        isExact: counts.every(({ isExact }) => isExact) && Math.max(unread, parked) <= COUNT_BOUND,
      };
    },
    findEntry: (question) => cells.of('key', question.keyId, ({ inbox }) => inbox.findEntry(question)),
    sweepReceipts: (before, limit) =>
      cells.countInTurn('inbox.sweepReceipts', limit, ({ inbox }, left) => inbox.sweepReceipts(before, left)),
  };
}
