import type { EventRepository, Instant, KeyId } from '@partner-hiring/core/ports';
import type { Prepare } from '../preparation.js';
import type { Run, Session } from '../session.js';
import type { Row } from '../table.js';
import { type DELIVERY_EVIDENCE, toSuccesses } from '../tables/index.js';
import { defineEventSweep, type OldLog, type PartItem } from './event-sweep-statements.js';

/**
 * Stops a sweep after this many batches that deleted nothing. Events with a delivery, such as dead letters,
 * stay.
 */
const MAX_EMPTY_BATCHES = 10;

/** The number of logs that one transaction sweeps. The transaction locks their endpoints. */
const LOGS_AT_ONCE = 100;

/**
 * Deletes old events. Keeps the list of old logs between calls, because finding them reads one row of every
 * key.
 */
export const prepareEventSweep: Prepare<Pick<EventRepository, 'sweep'>> = (preparation) => {
  const { findOld, lockEndpoints, lockHeads, findEnds, findSuccesses, findKept, sweepParts, raiseStart } =
    defineEventSweep(preparation);
  /** The logs that still have old events. */
  let found: OldLog[] = [];
  /** The key of the log that was swept last. The next search starts after it. */
  let last: KeyId | '' = '';
  /**
   * The first instant of each swept log. A search that starts there skips deleted events, which PostgreSQL
   * may keep in the index for hours.
   */
  const firsts = new Map<KeyId, Instant>();
  /** For each log that was not swept to the end, the instant where to continue. */
  const reached = new Map<KeyId, Instant>();

  /** Locks the logs that nobody else has locked. Returns for each whether it records every event. */
  async function lockLogs(run: Run, logs: readonly OldLog[]): Promise<ReadonlyMap<KeyId, boolean>> {
    const withEndpoint = logs.flatMap(({ endpoint }) => (endpoint === null ? [] : [{ key_id: endpoint }]));
    const { rows: locked } = await run.batch(lockEndpoints, withEndpoint, {});
    const isLocked = new Set(locked.map(({ key_id: keyId }) => keyId));
    const free = logs.filter(({ endpoint }) => endpoint === null || isLocked.has(endpoint));
    const keys = free.map(({ key_id: keyId }) => ({ key_id: keyId }));
    const { rows: heads } = await run.batch(lockHeads, keys, {});
    return new Map(heads.map((head) => [head.key_id, head.recorded_after !== null]));
  }

  /** Returns the parts with an event that was delivered at `before` or later. Each ends before that event. */
  async function keepRecent(
    run: Run,
    parts: readonly PartItem[],
    before: Instant,
    most: number,
  ): Promise<ReadonlyMap<KeyId, PartItem>> {
    const { rows } = await run.batch(findSuccesses, parts, { most });
    const recent = new Map<KeyId, Instant>();
    for (const row of rows as readonly Row<typeof DELIVERY_EVIDENCE>[]) {
      for (const [at, { deliveredAt }] of toSuccesses(row)) {
        if (deliveredAt >= before) recent.set(row.key_id, Math.min(at, recent.get(row.key_id) ?? at));
      }
    }
    return new Map(
      parts.flatMap((part): readonly [KeyId, PartItem][] => {
        const at = recent.get(part.key_id);
        return at === undefined || at > part.through ? [] : [[part.key_id, { ...part, through: at - 1 }]];
      }),
    );
  }

  async function sweepLogs(
    run: Run,
    logs: readonly OldLog[],
    before: Instant,
    limit: number,
  ): Promise<Swept> {
    const locked = await lockLogs(run, logs);
    const free = logs.filter(({ key_id: keyId }) => locked.has(keyId));
    const share = Math.floor(limit / logs.length);
    const parts = free.map(({ key_id: keyId, first, through }) => ({
      key_id: keyId,
      through,
      after: Math.max(reached.get(keyId) ?? 0, first - 1),
    }));
    const { rows: ends } = await run.batch(findEnds, parts, { last: share - 1 });
    const endOf = new Map(ends.map((end) => [end.key_id, end.at]));
    const bounded = parts.map(
      (part): PartItem => ({
        ...part,
        through: Math.min(endOf.get(part.key_id) ?? part.through, part.through),
      }),
    );
    const recorded = bounded.filter((part) => locked.get(part.key_id) === true);
    const cut = await keepRecent(run, recorded, before, share);
    const ended = bounded.map((part) => cut.get(part.key_id) ?? part);
    const { rows: gone } = await run.batch(sweepParts, ended, { most: share });
    const starts = [...lastOfEach(gone)]
      .filter(([keyId]) => locked.get(keyId) === true)
      .map(([keyId, at]) => ({ key_id: keyId, at }));
    // Commits together with the deletion, so no page leaves out an event without a trace.
    await run.batch(raiseStart, starts, {});
    const { rows: kept } = await run.batch(findKept, ended, {});
    return { gone, parts: ended, kept, cut: new Set(cut.keys()) };
  }

  /** Keeps the logs with more old events, and remembers where they begin. */
  function remember(logs: readonly OldLog[], { gone, parts, kept, cut }: Swept): void {
    const goneUntil = lastOfEach(gone);
    const keptFrom = new Map(kept.map(({ key_id: keyId, at }) => [keyId, at]));
    for (const { key_id: keyId, after } of parts) {
      const first = firsts.get(keyId);
      if (first === undefined || first <= after) continue;
      const lastGone = goneUntil.get(keyId);
      firsts.set(keyId, keptFrom.get(keyId) ?? (lastGone === undefined ? first : lastGone + 1));
    }
    const ends = new Map(parts.map((part) => [part.key_id, part.through]));
    for (const log of logs) {
      // The next search finds a log that was cut.
      const end = cut.has(log.key_id) ? log.through : (ends.get(log.key_id) ?? log.through);
      if (end < log.through) {
        reached.set(log.key_id, end);
        found.push(log);
      } else {
        reached.delete(log.key_id);
      }
    }
  }

  async function probe(session: Session, before: Instant): Promise<OldLog[]> {
    const known = JSON.stringify([...firsts].map(([keyId, first]) => ({ key_id: keyId, first })));
    const old = await session.read((run) => run.all(findOld, { rows: known, lastAt: before - 1 }));
    for (const { key_id: keyId, first } of old) firsts.set(keyId, first);
    return startingAfter(old, last);
  }

  return {
    sweep: async (session, before, limit) => {
      let removed = 0;
      let emptyBatches = 0;
      let hasProbed = false;
      while (removed < limit && emptyBatches < MAX_EMPTY_BATCHES) {
        if (found.length === 0) {
          if (hasProbed) break;
          hasProbed = true;
          found = await probe(session, before);
          if (found.length === 0) break;
        }
        const some = found.splice(0, Math.min(LOGS_AT_ONCE, limit - removed));
        last = some.at(-1)?.key_id ?? last;
        const swept = await session.write((run) => sweepLogs(run, some, before, limit - removed));
        remember(some, swept);
        removed += swept.gone.length;
        if (swept.gone.length === 0) emptyBatches += 1;
      }
      return removed;
    },
  };
};

interface EventRow {
  readonly key_id: KeyId;
  readonly at: Instant;
}

interface Swept {
  readonly gone: readonly EventRow[];
  /** Excludes the locked logs. */
  readonly parts: readonly PartItem[];
  readonly kept: readonly EventRow[];
  /** The logs whose next old event was delivered recently. */
  readonly cut: ReadonlySet<KeyId>;
}

function lastOfEach(events: readonly EventRow[]): ReadonlyMap<KeyId, Instant> {
  const last = new Map<KeyId, Instant>();
  for (const { key_id: keyId, at } of events) last.set(keyId, Math.max(last.get(keyId) ?? 0, at));
  return last;
}

/** Sorts the logs by key, starting with the first key after `last`. The keys up to `last` come at the end. */
function startingAfter(logs: readonly OldLog[], last: KeyId | ''): OldLog[] {
  const sorted = [...logs].sort((a, b) => (a.key_id < b.key_id ? -1 : 1));
  return [...sorted.filter((log) => log.key_id > last), ...sorted.filter((log) => log.key_id <= last)];
}
