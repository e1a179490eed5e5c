import type { InboxItemId, KeyId } from '../../domain/ids.js';
import { DAY_MS, MINUTE_MS } from '../../domain/time.js';
import { OperatorError } from '../../errors.js';
import { onHost } from '../../operator/command/claims.js';
import { type CommandContext, type Definitions, inTransaction } from '../../operator/command/definition.js';
import {
  flag,
  integer,
  LIST_LIMIT,
  limitOf,
  oneOf,
  only,
  optional,
  page,
  value,
} from '../../operator/command/fields.js';
import { either, type Field, filter, record, single } from '../../operator/command/input.js';
import type { Page } from '../../operator/page-cursor.js';
import { recordAct, type Scope } from '../../operator/scope.js';
import type { Repositories } from '../../ports/storage.js';
import { type BuildItems, createItemBuilder } from './build-items.js';
import { INBOX, type InboxSwitch, turnInbox } from './inbox-switch.js';
import { listRefused, REFUSED_STATES, type RefusedFilter, type RefusedItem } from './refused-items.js';
import {
  INBOX_CHANGES,
  type InboxEntryKey,
  type InboxItem,
  inboxItemId,
  parseInboxItemId,
  splitBehind,
  waitBehind,
} from './rules.js';

/** Which items to take. */
export interface InboxRequest {
  /** The most items, from 1 to 1,000; default: 100. */
  readonly limit?: number | undefined;
  /** How long the items are reserved for you, in milliseconds, from 1,000 to one day; default: one minute. */
  readonly leaseMs?: number | undefined;
}

/** Which parked items to hand over again. */
export type InboxRetry =
  | { readonly ids: readonly InboxItemId[]; readonly all?: undefined }
  | { readonly all: true; readonly ids?: undefined };

/**
 * Reads the inbox from outside the process, and repairs it. `system.status` shows as `inbox` whether it is on, and what
 * waits.
 */
export interface InboxCommands {
  /**
   * Turns the inbox on or off, in all processes; `changes` stays as it is by default, and is `staff` at first. While it
   * is on, each new application is recorded for the host. The option `inbox` turns it on when a process starts. Unread
   * items stay when it is turned off.
   * @example
   * const { changed } = await operator.inbox.turn({ on: true, changes: 'all' });
   */
  turn(to: InboxSwitch): Promise<{ readonly changed: boolean }>;
  /**
   * Returns at most `limit` unread items, oldest first within each key, and reserves their keys until the lease ends.
   * Items that are not acknowledged by then are returned again, with the same ids. Also returns what was recorded
   * before the inbox was turned off.
   * @throws OperatorError `INBOX_OFF` if the inbox is off and nothing can be taken.
   * @example
   * const items = await operator.inbox.take({ limit: 100, leaseMs: 60_000 });
   */
  take(request?: InboxRequest): Promise<readonly InboxItem[]>;
  /**
   * Confirms that items were received, at most 1,000, and deletes them; `acknowledged` counts those deleted. Ignores
   * ids that are unknown or already acknowledged. Also ignores items of candidates that were erased since: `take` then
   * returns `candidate.erased`.
   * @example
   * const items = await operator.inbox.take();
   * await operator.inbox.acknowledge(items.map(({ id }) => id));
   */
  acknowledge(ids: readonly InboxItemId[]): Promise<{ readonly acknowledged: number }>;
  /**
   * Returns a page of the items that the host has refused at least once, or only of the parked ones, in the order of
   * key ids, oldest first within each key, 100 by default. An item is parked after ten refusals over at least a day,
   * and then waits for `retry`.
   * @example
   * const { items } = await operator.inbox.list({ limit: 20 });
   * const stuck = items.map(({ id, failures, lastError }) => `${id} refused ${failures} times: ${lastError}`);
   */
  list(filter?: RefusedFilter): Promise<Page<RefusedItem>>;
  /**
   * Iterates over the rows of `list` in its order. Reads each page only when the loop reaches it.
   * @example
   * for await (const { id, retryAt } of operator.inbox.each()) console.log(id, retryAt);
   */
  each(filter?: RefusedFilter): AsyncIterable<RefusedItem>;
  /**
   * Hands over parked items again; `retried` counts them, and other ids are ignored. Later items of their applications
   * follow. An item that is refused again is parked at once.
   * @example
   * const { retried } = await operator.inbox.retry({ all: true });
   */
  retry(which: InboxRetry): Promise<{ readonly retried: number }>;
}

const LEASE = { default: MINUTE_MS, min: 1_000, max: DAY_MS } as const;

const ids: Field<readonly InboxItemId[]> = value(
  (given) =>
    Array.isArray(given) &&
    given.length <= LIST_LIMIT.max &&
    // Unlike `every`, `Array.from` does not skip the gaps of a sparse list.
    Array.from<unknown>(given).every((id) => typeof id === 'string' && parseInboxItemId(id) !== null),
  `must be a list of at most ${LIST_LIMIT.max} ids of inbox items`,
);

export const inboxDefinitions: Definitions<InboxCommands> = {
  turn: {
    summary: 'Turns the inbox on or off: whether new applications are recorded for the platform',
    input: record({
      on: flag,
      changes: optional(oneOf(INBOX_CHANGES), 'Changes to record: staff, all or none'),
    }),
    pastTense: 'turned the inbox on or off',
    right: 'inbox:switch',
    claims: onHost,
    run: inTransaction(turnInbox),
  },
  take: {
    summary: 'Leases items to the platform',
    input: filter({
      limit: page.limit,
      leaseMs: optional(integer(LEASE.min, LEASE.max), 'The time of the lease'),
    }),
    run: takeItems,
  },
  acknowledge: {
    summary: 'Confirms items that the platform has taken',
    input: single('ids', ids),
    run: ({ commit }, taken) =>
      commit(async (scope) => ({ acknowledged: await acknowledge(scope, entriesOf(taken)) })),
  },
  list: {
    summary: 'Lists items that the platform has refused, with the last error and the next try',
    input: filter({
      state: optional(
        oneOf(REFUSED_STATES),
        'Only parked ones, which were refused for a day; default refused',
      ),
      ...page,
    }),
    right: 'inbox:read',
    claims: onHost,
    gate: {
      // The host's errors may quote a candidate.
      hide: (found) => ({ ...found, items: found.items.map((item) => ({ ...item, lastError: null })) }),
    },
    run: ({ read }, asked) => listRefused(read, asked),
  },
  retry: {
    summary: 'Hands parked items to the platform again',
    input: either<InboxRetry>()(
      { ids: optional(ids, 'These items'), all: optional(only(true), 'All parked items') },
      ({ ids, all }) => ((ids ?? all) === undefined ? [{ rule: 'must have `ids`, or `all: true`' }] : []),
    ),
    pastTense: 'handed parked inbox items over again',
    right: 'inbox:retry',
    claims: onHost,
    run: retryParked,
  },
};

/** Each storage has its own builder, because a builder caches partners. */
const BUILDERS = new WeakMap<Repositories, BuildItems>();

function builderOf(read: Repositories): BuildItems {
  const builder = BUILDERS.get(read) ?? createItemBuilder();
  BUILDERS.set(read, builder);
  return builder;
}

async function takeItems(
  { commit, read, now }: CommandContext,
  { limit, leaseMs = LEASE.default }: InboxRequest,
): Promise<readonly InboxItem[]> {
  const keyIds = await read.inbox.findKeys(await now());
  // Commits the heads before the claim, because a claim must wait for a head that another transaction has just created.
  await read.inbox.addHeads(keyIds);
  const rules = { limit: limitOf(limit), forMs: leaseMs, buildItems: builderOf(read) };
  const items = keyIds.length === 0 ? [] : await commit((scope) => take(scope, keyIds, rules));
  if (items.length === 0 && !(await read.inbox.isOn())) throw inboxOff();
  return items;
}

function inboxOff(): OperatorError {
  return new OperatorError(
    'INBOX_OFF',
    'The inbox is off, so new applications are not recorded for you, and no item is left to take. ' +
      'Turn it on with inbox.turn({ on: true }), or set the option `inbox`.',
  );
}

async function retryParked(
  { commit }: CommandContext,
  { ids: named }: InboxRetry,
): Promise<{ readonly retried: number }> {
  const entries = named === undefined ? null : entriesOf(named);
  let retried = 0;
  for (;;) {
    const step = await commit(async (scope) => {
      const count = await scope.tx.inbox.retryParked(entries ?? { limit: LIST_LIMIT.max }, await scope.now());
      if (count === 0) return count;
      scope.workIsDue();
      const filter = entries === null ? { all: true } : { ids: entries.length };
      recordAct(scope, { objects: [INBOX], count, filter });
      return count;
    });
    retried += step;
    if (entries !== null || step < LIST_LIMIT.max) return { retried };
  }
}

function entriesOf(items: readonly InboxItemId[]): readonly InboxEntryKey[] {
  return items.flatMap((id) => parseInboxItemId(id) ?? []);
}

async function take(
  { tx, now: readTime }: Scope,
  keyIds: readonly KeyId[],
  {
    limit,
    forMs,
    buildItems,
  }: { readonly limit: number; readonly forMs: number; readonly buildItems: BuildItems },
): Promise<readonly InboxItem[]> {
  const now = await readTime();
  const entries = await tx.inbox.lease({ keyIds, now, limit, forMs });
  const { ready, behind } = splitBehind(entries);
  if (behind.length > 0) await tx.inbox.postpone(behind.map((entry) => waitBehind(entry, now)));
  const items = await buildItems(tx, ready);
  const there = new Set(items.map(({ id }) => id));
  const deleted = ready.filter((entry) => !there.has(inboxItemId(entry)));
  if (deleted.length > 0) await tx.inbox.acknowledge(deleted, now);
  return items;
}

/** Locks heads before applications, in the same order as a hand-over. Otherwise, the two could deadlock. */
async function acknowledge({ tx, now: readTime }: Scope, entries: readonly InboxEntryKey[]): Promise<number> {
  const ids = [...new Set(entries.map(({ applicationId }) => applicationId))];
  const found = (await tx.applications.find(ids)).filter((application) => application !== null);
  const keyIds = new Map(found.map(({ id, keyId }) => [id, keyId]));
  const named = entries.flatMap((entry) => {
    const keyId = keyIds.get(entry.applicationId);
    return keyId === undefined ? [] : [{ ...entry, keyId }];
  });
  if (named.length === 0) return 0;
  await tx.inbox.lockHeads([...new Set(keyIds.values())]);
  await tx.applications.findKept([...keyIds.keys()]);
  return tx.inbox.acknowledge(named, await readTime());
}
