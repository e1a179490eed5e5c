import type { AuditObject } from '../domain/audit.js';
import type { ApplicationId, KeyId } from '../domain/ids.js';
import {
  type InboxEntryKey,
  type InboxItem,
  type InboxItemId,
  type InboxItemKind,
  inboxItemId,
  parseInboxItemId,
  splitBehind,
  waitBehind,
} from '../domain/inbox.js';
import { DAY_MS, type Instant, MINUTE_MS } from '../domain/time.js';
import { OperatorError } from '../errors.js';
import { type BuildItems, createItemBuilder } from '../inbox/build-items.js';
import type { InboxCounts, ParkedPosition } from '../ports/repositories/inbox.js';
import type { WithoutEach } from './each.js';
import { checkedLimit, inspect, LIST_LIMIT } from './input.js';
import { type KeyNames, withKeyNames } from './names.js';
import {
  definePageCursors,
  isCursorId,
  isCursorNumber,
  type Page,
  type PageOptions,
  readPage,
} from './page-cursor.js';
import { recordAct } from './record-act.js';
import type { Runner, Scope } from './scope.js';

/** The state of the inbox. */
export interface InboxStatus extends InboxCounts {
  readonly isOn: boolean;
}

/** Which items to take. */
export interface InboxRequest {
  /** 1 to 1000, 100 by default. */
  readonly limit?: number | undefined;
  /** How long the items are yours, in milliseconds: 1 second to 1 day, 1 minute by default. */
  readonly leaseMs?: number | undefined;
}

/** An item that the host refused for a day. */
export interface ParkedItem extends KeyNames {
  readonly id: InboxItemId;
  readonly kind: InboxItemKind;
  readonly keyId: KeyId;
  readonly applicationId: ApplicationId;
  readonly at: Instant;
  readonly failures: number;
  readonly firstFailureAt: Instant | null;
  readonly parkedAt: Instant | null;
  /** The host's last error, shortened, without personal data. */
  readonly lastError: string | null;
}

/** Which parked items to hand over again. */
export type InboxRetry =
  | { readonly ids: readonly InboxItemId[]; readonly all?: undefined }
  | { readonly all: true; readonly ids?: undefined };

/** Reads the inbox from outside the process, and repairs it. */
export interface InboxCommands {
  /**
   * Returns whether the inbox is on, and how much of it the host has not received.
   * @example
   * const { isOn, unread, parked } = await operator.inbox.status();
   */
  status(): Promise<InboxStatus>;
  /**
   * Records each new application for the host, in all processes. The option `inbox` does this too.
   * @example
   * const { changed } = await operator.inbox.turnOn();
   */
  turnOn(): Promise<{ readonly changed: boolean }>;
  /**
   * Stops recording new applications, in all processes. Unread items stay. A process with the option `inbox`
   * turns it on again when it starts.
   * @example
   * const { changed } = await operator.inbox.turnOff();
   */
  turnOff(): Promise<{ readonly changed: boolean }>;
  /**
   * Returns unread items, oldest first within each key, and reserves their keys for the lease. Items that are
   * not acknowledged by then are returned again.
   * @throws OperatorError `INVALID_INPUT`.
   * @example
   * const items = await operator.inbox.take({ limit: 100, leaseMs: 60_000 });
   */
  take(request?: InboxRequest): Promise<readonly InboxItem[]>;
  /**
   * Confirms that items were received, and deletes them. Ids that are unknown or already acknowledged are ignored, and so are those of candidates that
   * were erased since: `take` then returns `candidate.erased`.
   * @throws OperatorError `INVALID_INPUT`.
   * @example
   * const items = await operator.inbox.take();
   * await operator.inbox.acknowledge(items.map(({ id }) => id));
   */
  acknowledge(ids: readonly InboxItemId[]): Promise<{ readonly acknowledged: number }>;
  /**
   * Returns a page of parked items in the order of key ids, oldest first within each key, 100 by default.
   * @throws OperatorError `INVALID_INPUT`.
   * @example
   * const { items } = await operator.inbox.listParked({ limit: 20 });
   */
  listParked(page?: PageOptions): Promise<Page<ParkedItem>>;
  /**
   * Iterates over what `listParked` returns, in its order: reads the next page when it is needed, and none after `break`.
   * @throws OperatorError `INVALID_INPUT`.
   * @example
   * for await (const { id, lastError } of operator.inbox.eachParked()) console.log(id, lastError);
   */
  eachParked(page?: PageOptions): AsyncIterable<ParkedItem>;
  /**
   * Hands over parked items again. Later items of their applications follow.
   * @throws OperatorError `INVALID_INPUT`.
   * @example
   * const { retried } = await operator.inbox.retry({ all: true });
   */
  retry(which: InboxRetry): Promise<{ readonly retried: number }>;
}

const CURSORS = definePageCursors<ParkedPosition>({
  command: 'inbox.listParked',
  list: 'parked inbox items',
  valuesOf: ({ keyId, at, applicationId }) => [keyId, at, applicationId],
  positionOf: ([keyId, at, applicationId]) =>
    isCursorId<KeyId>(keyId) && isCursorNumber(at) && isCursorId<ApplicationId>(applicationId)
      ? { keyId, at, applicationId }
      : null,
});

export function inboxCommands({ run, read, now }: Runner): WithoutEach<InboxCommands> {
  const buildItems = createItemBuilder();
  return {
    status: async () => ({ isOn: await read.inbox.isOn(), ...(await read.inbox.counts()) }),
    turnOn: () => run('inbox.turnOn', (scope) => turn(scope, true)),
    turnOff: () => run('inbox.turnOff', (scope) => turn(scope, false)),
    take: async (request = {}) => {
      const { limit, leaseMs } = checkRequest(request);
      const keyIds = await read.inbox.findKeys(await now());
      // Committed first: a claim waits for a head that another transaction has just created.
      await read.inbox.addHeads(keyIds);
      return keyIds.length === 0
        ? []
        : run(null, (scope) => take(scope, keyIds, { limit, forMs: leaseMs, buildItems }));
    },
    acknowledge: async (ids) => {
      const entries = checkIds('inbox.acknowledge', ids);
      return run(null, async (scope) => ({ acknowledged: await acknowledge(scope, entries) }));
    },
    listParked: async (page) => {
      const { items: rows, nextCursor } = await readPage(CURSORS, [], page ?? {}, ({ after, limit }) =>
        read.inbox.listParked(limit, after),
      );
      const items = rows.map(({ isRetry: _, isBehind: __, retryAt: ___, ...entry }) => ({
        id: inboxItemId(entry),
        ...entry,
      }));
      return { items: await withKeyNames(read, items), nextCursor };
    },
    retry: async (which) => {
      const entries =
        'ids' in which && which.ids !== undefined ? checkIds('inbox.retry', which.ids) : checkAll(which);
      let retried = 0;
      for (;;) {
        const step = await run('inbox.retry', async (scope) => {
          const count = await scope.tx.inbox.retryParked(
            entries ?? { limit: LIST_LIMIT.max },
            await scope.now(),
          );
          if (count === 0) return count;
          scope.workIsDue();
          const filter = entries === null ? { all: true } : { ids: entries.length };
          recordAct(scope, { objects: [INBOX], count, filter });
          return count;
        });
        retried += step;
        if (entries !== null || step < LIST_LIMIT.max) return { retried };
      }
    },
  };
}

const INBOX: AuditObject = { kind: 'inbox', id: 'inbox' };

async function turn(scope: Scope, isOn: boolean): Promise<{ readonly changed: boolean }> {
  const changed = await scope.tx.inbox.turn(isOn);
  if (changed) recordAct(scope, { objects: [INBOX], before: { isOn: !isOn }, after: { isOn } });
  return { changed };
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

/** Locks heads before applications, as a hand-over does: otherwise, they could wait for each other. */
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

const LEASE = { default: MINUTE_MS, min: 1_000, max: DAY_MS } as const;

function checkRequest({ limit, leaseMs = LEASE.default }: InboxRequest): {
  readonly limit: number;
  readonly leaseMs: number;
} {
  const inspection = inspect('inbox.take');
  const fits = Number.isInteger(leaseMs) && leaseMs >= LEASE.min && leaseMs <= LEASE.max;
  inspection.expect(fits, 'leaseMs', `must be an integer from ${LEASE.min} to ${LEASE.max}`);
  inspection.end();
  return { limit: checkedLimit('inbox.take', limit), leaseMs };
}

function checkIds(command: string, ids: unknown): readonly InboxEntryKey[] {
  const inspection = inspect(command);
  const isList = Array.isArray(ids) && ids.length <= LIST_LIMIT.max;
  const parsed = isList
    ? Array.from<unknown, InboxEntryKey | null>(ids, (id) =>
        typeof id === 'string' ? parseInboxItemId(id) : null,
      )
    : [];
  const entries = parsed.filter((entry) => entry !== null);
  const rule = `must be a list of at most ${LIST_LIMIT.max} ids of inbox items`;
  inspection.expect(isList && entries.length === parsed.length, 'ids', rule);
  inspection.end();
  return entries;
}

function checkAll(which: { readonly all?: unknown }): null {
  if (which.all === true) return null;
  throw new OperatorError('INVALID_INPUT', 'inbox.retry: pass `ids`, or `all: true`. Nothing was changed.');
}
