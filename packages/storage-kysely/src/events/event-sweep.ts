import type { EventRepository, Instant, KeyId } from '@partner-hiring/core/ports';
import type { Prepare } from '../preparation.js';
import type { Run } from '../session.js';
import { defineEventSweep, type OldLog, type PartItem } from './event-sweep-statements.js';

/** A call gives up after this many transactions that removed nothing: many events may have to stay, such as dead letters. */
const MOST_IN_VAIN = 10;

/** Logs that go together: for as long as their transaction takes, nobody else can settle or change their endpoints. */
const LOGS_AT_ONCE = 100;

/**
 * What removes old events. One probe of each log finds those with something old, and the following calls take their logs
 * from what it found: the probe reads a row of every key.
 */
export const prepareEventSweep: Prepare<Pick<EventRepository, 'sweep'>> = (preparation) => {
  const { findOld, lockEndpoints, findEnds, findKept, sweepParts } = defineEventSweep(preparation);
  /** The logs that the last probe found and that are not swept yet, the next one first. */
  let found: OldLog[] = [];
  /** The log that was swept last: the next probe's logs begin behind it. */
  let last: KeyId | '' = '';
  /**
   * Where the first event of each log that was swept is looked for. None comes before it, as stamps only grow; what lay
   * there was deleted, and a server may have to walk over it for hours.
   */
  const firsts = new Map<KeyId, Instant>();
  /** Where to go on in logs of which so much must stay that a sweep did not come to their end. */
  const reached = new Map<KeyId, Instant>();

  /** Removes the same number of events of each log at most. */
  async function sweepLogs(run: Run, logs: readonly OldLog[], limit: number): Promise<Swept> {
    const withEndpoint = logs.flatMap(({ endpoint }) => (endpoint === null ? [] : [{ key_id: endpoint }]));
    const { rows: locked } = await run.batch(lockEndpoints, withEndpoint, {});
    const isLocked = new Set(locked.map(({ key_id: keyId }) => keyId));
    const free = logs.filter(({ endpoint }) => endpoint === null || isLocked.has(endpoint));
    const share = Math.floor(limit / logs.length);
    const parts = free.map(({ key_id: keyId, first, through }) => ({
      ...{ key_id: keyId, through },
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

  /** Keeps the logs of which more is old, and where those begin that were swept from their beginning on. */
  function goOn(logs: readonly OldLog[], { gone, parts, kept }: Swept): void {
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
      return inTurn(old, last);
    }

    return {
      sweep: async (before, limit) => {
        let removed = 0;
        let inVain = 0;
        let hasProbed = false;
        while (removed < limit && inVain < MOST_IN_VAIN) {
          if (found.length === 0) {
            if (hasProbed) break;
            hasProbed = true;
            found = await probe(before);
            if (found.length === 0) break;
          }
          const some = found.splice(0, Math.min(LOGS_AT_ONCE, limit - removed));
          last = some.at(-1)?.key_id ?? last;
          const swept = await session.write((run) => sweepLogs(run, some, limit - removed));
          goOn(some, swept);
          removed += swept.gone.length;
          if (swept.gone.length === 0) inVain += 1;
        }
        return removed;
      },
    };
  };
};

/** Names an event. */
interface EventRow {
  readonly key_id: KeyId;
  readonly at: Instant;
}

/** What came of sweeping some logs. */
interface Swept {
  readonly gone: readonly EventRow[];
  /** What was looked at, of those logs that nobody else holds. */
  readonly parts: readonly PartItem[];
  /** The first event of each part that stays. */
  readonly kept: readonly EventRow[];
}

/** The logs in the order of their keys, those behind the last one first. */
function inTurn(logs: readonly OldLog[], last: KeyId | ''): OldLog[] {
  const sorted = [...logs].sort((a, b) => (a.key_id < b.key_id ? -1 : 1));
  return [...sorted.filter((log) => log.key_id > last), ...sorted.filter((log) => log.key_id <= last)];
}
