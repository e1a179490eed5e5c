import type { EventRepository, Instant, KeyId } from '@partner-hiring/core/ports';
import type { Prepare } from '../preparation.js';
import type { Run } from '../session.js';
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
  const { findOld, lockEndpoints, findEnds, findKept, sweepParts } = defineEventSweep(preparation);
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

  async function sweepLogs(run: Run, logs: readonly OldLog[], limit: number): Promise<Swept> {
    const withEndpoint = logs.flatMap(({ endpoint }) => (endpoint === null ? [] : [{ key_id: endpoint }]));
    const { rows: locked } = await run.batch(lockEndpoints, withEndpoint, {});
    const isLocked = new Set(locked.map(({ key_id: keyId }) => keyId));
    const free = logs.filter(({ endpoint }) => endpoint === null || isLocked.has(endpoint));
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
    const { rows: gone } = await run.batch(sweepParts, bounded, { most: share });
    const { rows: kept } = await run.batch(findKept, bounded, {});
    return { gone, parts: bounded, kept };
  }

  /** Keeps the logs with more old events, and remembers where they begin. */
  function remember(logs: readonly OldLog[], { gone, parts, kept }: Swept): void {
    const goneUntil = new Map<KeyId, Instant>();
    for (const { key_id: keyId, at } of gone) goneUntil.set(keyId, Math.max(goneUntil.get(keyId) ?? 0, at));
    const keptFrom = new Map(kept.map(({ key_id: keyId, at }) => [keyId, at]));
    for (const { key_id: keyId, after } of parts) {
      const first = firsts.get(keyId);
      if (first === undefined || first <= after) continue;
      const lastGone = goneUntil.get(keyId);
      firsts.set(keyId, keptFrom.get(keyId) ?? (lastGone === undefined ? first : lastGone + 1));
    }
    const ends = new Map(parts.map((part) => [part.key_id, part.through]));
    for (const log of logs) {
      const end = ends.get(log.key_id) ?? log.through;
      if (end < log.through) {
        reached.set(log.key_id, end);
        found.push(log);
      } else {
        reached.delete(log.key_id);
      }
    }
  }

  return (session) => {
    async function probe(before: Instant): Promise<OldLog[]> {
      const known = JSON.stringify([...firsts].map(([keyId, first]) => ({ key_id: keyId, first })));
      const old = await session.read((run) => run.all(findOld, { rows: known, lastAt: before - 1 }));
      for (const { key_id: keyId, first } of old) firsts.set(keyId, first);
      return startingAfter(old, last);
    }

    return {
      sweep: async (before, limit) => {
        let removed = 0;
        let emptyBatches = 0;
        let hasProbed = false;
        while (removed < limit && emptyBatches < MAX_EMPTY_BATCHES) {
          if (found.length === 0) {
            if (hasProbed) break;
            hasProbed = true;
            found = await probe(before);
            if (found.length === 0) break;
          }
          const some = found.splice(0, Math.min(LOGS_AT_ONCE, limit - removed));
          last = some.at(-1)?.key_id ?? last;
          const swept = await session.write((run) => sweepLogs(run, some, limit - removed));
          remember(some, swept);
          removed += swept.gone.length;
          if (swept.gone.length === 0) emptyBatches += 1;
        }
        return removed;
      },
    };
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
}

/** Sorts the logs by key, starting with the first key after `last`. The keys up to `last` come at the end. */
function startingAfter(logs: readonly OldLog[], last: KeyId | ''): OldLog[] {
  const sorted = [...logs].sort((a, b) => (a.key_id < b.key_id ? -1 : 1));
  return [...sorted.filter((log) => log.key_id > last), ...sorted.filter((log) => log.key_id <= last)];
}
