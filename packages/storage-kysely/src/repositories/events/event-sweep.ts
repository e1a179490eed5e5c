import type { EventRepository, Instant, KeyId } from '@partner-hiring/core/ports';
import type { Prepare } from '../../preparation.js';
import type { Run } from '../../session.js';
import { defineEventSweep, type EventSweep, type LogPart, type OldLog } from './event-sweep-statements.js';

/**
 * A log is swept in so many parts at most, and so many parts of all logs together may be looked at in vain: many events
 * may have to stay, such as dead letters, and a transaction holds what it locks until its end.
 */
const MOST_PARTS = 10;

/** Logs that go together: for as long as their transaction takes, nobody else can settle or change their endpoints. */
const LOGS_AT_ONCE = 16;

/** What removes old events. */
export const prepareEventSweep: Prepare<Pick<EventRepository, 'sweep'>> = (preparation) => {
  const statements = defineEventSweep(preparation);
  const { findOld, lockEndpoint } = statements;
  const sweepLog = createLogSweep(statements);
  /** The log that was looked at last: the next sweep goes on behind it. */
  let last: KeyId | '' = '';
  /**
   * The first event of each log that was swept, as it was found last. None comes before it, as stamps only grow; what
   * lay there was deleted, and a server may have to walk over it for hours.
   */
  const firsts = new Map<KeyId, Instant>();

  async function sweepLogs(
    run: Run,
    logs: readonly OldLog[],
    { limit, patience }: SweepBounds,
  ): Promise<Swept> {
    let removed = 0;
    let inVain = 0;
    for (const { key_id: keyId, endpoint, first, through } of logs) {
      if (removed >= limit || inVain >= patience) break;
      last = keyId;
      if (endpoint !== null && (await run.first(lockEndpoint, { keyId })) === null) continue;
      const swept = await sweepLog(
        run,
        { keyId, after: first - 1, through },
        { limit: limit - removed, patience: patience - inVain },
      );
      removed += swept.removed;
      inVain += swept.inVain;
    }
    return { removed, inVain };
  }

  return (session) => ({
    sweep: async (before, limit) => {
      const known = JSON.stringify([...firsts].map(([keyId, first]) => ({ key_id: keyId, first })));
      const found = await session.read((run) => run.all(findOld, { rows: known, lastAt: before - 1 }));
      for (const { key_id: keyId, first } of found) firsts.set(keyId, first);
      const logs = inTurn(found, last);
      let removed = 0;
      let patience = MOST_PARTS;
      for (let start = 0; start < logs.length && removed < limit && patience > 0; start += LOGS_AT_ONCE) {
        const some = logs.slice(start, start + LOGS_AT_ONCE);
        const bounds = { limit: limit - removed, patience };
        const swept = await session.write((run) => sweepLogs(run, some, bounds));
        removed += swept.removed;
        patience -= swept.inVain;
      }
      return removed;
    },
  });
};

/** What came of sweeping some logs. */
interface Swept {
  readonly removed: number;
  /** Parts that were looked at in vain. */
  readonly inVain: number;
}

/** How much of a log is swept at most, and how many of its parts are looked at in vain. */
interface SweepBounds {
  readonly limit: number;
  readonly patience: number;
}

/** Sweeps one log in parts. It goes on where the sweep before came to. */
function createLogSweep({ findEnd, sweepPart }: EventSweep) {
  /** Where to go on in logs of which so much must stay that a sweep did not come to their end. */
  const reached = new Map<KeyId, Instant>();

  /** As many events are looked at as may still be removed, a few times over, unless it was often in vain. */
  return async (run: Run, log: LogPart, { limit, patience }: SweepBounds): Promise<Swept> => {
    const { keyId, through } = log;
    let removed = 0;
    let inVain = 0;
    for (let part = 0; part < MOST_PARTS && removed < limit && inVain < patience; part += 1) {
      const after = Math.max(reached.get(keyId) ?? 0, log.after);
      const end = await run.first(findEnd, { keyId, after, last: limit - removed - 1 });
      const isLast = end === null || end.at >= through;
      const gone = await run.count(sweepPart, { keyId, after, through: isLast ? through : end.at });
      removed += gone;
      if (gone === 0) inVain += 1;
      if (isLast) {
        reached.delete(keyId);
        break;
      }
      reached.set(keyId, end.at);
    }
    return { removed, inVain };
  };
}

/** The logs in the order of their keys, those behind the last one first. */
function inTurn(logs: readonly OldLog[], last: KeyId | ''): readonly OldLog[] {
  const sorted = [...logs].sort((a, b) => (a.key_id < b.key_id ? -1 : 1));
  return [...sorted.filter((log) => log.key_id > last), ...sorted.filter((log) => log.key_id <= last)];
}
