import type { FeedHead } from '../../domain/feed.js';
import { hourOf, OK } from '../../domain/hour-count.js';
import type { KeyId } from '../../domain/ids.js';
import { DAY_MS, type Instant, isReached, MINUTE_MS } from '../../domain/time.js';
import type { Clock } from '../../ports/runtime.js';
import type { Repositories, Storage } from '../../ports/storage.js';
import type { Logger } from '../../ports/telemetry.js';
import type { PeriodicTask } from '../../worker/loop.js';
import { countFact, type NewCount, startOfDay, TOTALS_KEPT_MS, type TotalHead, totalsOf } from './rules.js';

export const COUNT_EVERY_MS = 5 * MINUTE_MS;
const KEYS_PER_POLL = 20;
/** Processes add to hourly counts about once a second, and after an outage a little later. */
const LATE_MS = 10 * MINUTE_MS;
/** Hourly counts are kept for seven days. */
const HOURS_KEPT_MS = 6 * DAY_MS;

interface Round {
  readonly beganAt: Instant;
  /** Those that are not counted up to the head of the feed. */
  readonly keys: FeedHead[];
}

/**
 * Adds what is new to the sums, key by key. Everything up to the head of a feed is committed, because a transaction
 * locks the head when it takes a stamp. The sums and the position of a key commit together, and only if no other worker
 * has counted the key meanwhile.
 */
export function createTotalsTask(
  { direct, transaction }: Pick<Storage<unknown>, 'direct' | 'transaction'>,
  { clock, logger }: { readonly clock: Pick<Clock, 'now'>; readonly logger: Logger },
  factsPerStep = 500,
): PeriodicTask {
  let nextAt: Instant = clock.now();
  let round: Round | null = null;
  /** Where this process has found nothing new, so that it reads nothing of a key at rest until its hour has ended. */
  const atRest = new Map<KeyId, { readonly at: Instant; readonly hour: Instant; readonly head: Progress }>();
  let lastRound: TotalHead | null = null;
  /** Whether something was counted since the last round was saved. */
  let hasNews = true;

  /** Counts a part of a key. Returns whether nothing is left. */
  async function count({ keyId, environment, at: through }: FeedHead, now: Instant): Promise<boolean> {
    const until = hourOf(now - LATE_MS);
    const rests = (head: Progress) => atRest.set(keyId, { at: through, hour: until, head });
    const known = atRest.get(keyId);
    const rest = known?.at === through ? known : null;
    if (rest?.hour === until) return true;
    atRest.delete(keyId);
    const head = rest?.head ?? (await direct.totals.findHead(keyId)) ?? newHead(now);
    const isBehind = through > head.at;
    const window = { keyId, after: head.at, through, limit: factsPerStep };
    const facts = isBehind ? await direct.totals.listFacts(window) : [];
    const hour = Math.max(until, head.hour);
    const hours = await countHours(direct, keyId, head.hour, hour);
    if (!isBehind && hours.length === 0) {
      rests(head);
      return true;
    }
    const last = facts.length < factsPerStep ? undefined : facts.at(-1);
    const at = last?.at ?? Math.max(through, head.at);
    const next = { at, hour, version: head.version + 1 };
    const isMine = await transaction(async ({ totals }) => {
      if (!(await totals.saveHead({ keyId, ...next }))) return false;
      await totals.add(totalsOf(keyId, environment, [...facts.flatMap(countFact), ...hours]));
      return true;
    });
    hasNews = true;
    const isDone = isMine && last === undefined;
    if (isDone) rests(next);
    return isDone;
  }

  /** A key that cannot be counted is left to a later round, so that neither other keys nor a drain fail with it. */
  async function countOrLeave(key: FeedHead, now: Instant): Promise<boolean> {
    try {
      return await count(key, now);
    } catch (err) {
      logger.error(
        { err, keyId: key.keyId },
        'The totals of a key were not counted; a later round tries again.',
      );
      return true;
    }
  }

  async function saveRound({ beganAt }: Round): Promise<void> {
    const last = lastRound ?? (await direct.totals.findHead('')) ?? newHead(beganAt);
    const next = { ...last, keyId: '', at: Math.max(last.at, beganAt), version: last.version + 1 } as const;
    // Another worker has saved it if this one cannot.
    lastRound = (await direct.totals.saveHead(next)) ? next : null;
    hasNews = false;
  }

  return {
    name: 'totals',
    async poll() {
      const now = clock.now();
      if (round === null && !isReached(now, nextAt, COUNT_EVERY_MS)) return 'nothing';
      // After an error, a later round reads how far the keys are counted.
      nextAt = now + COUNT_EVERY_MS;
      const current = round ?? { beganAt: now, keys: [...(await direct.feed.listHeads(null))] };
      round = null;
      for (const key of current.keys.splice(0, KEYS_PER_POLL)) {
        if (!(await countOrLeave(key, current.beganAt))) current.keys.push(key);
      }
      if (current.keys.length > 0) {
        round = current;
        return 'full';
      }
      if (hasNews) await saveRound(current);
      return 'some';
    },
    idle: async () => {},
  };
}

type Progress = Omit<TotalHead, 'keyId'>;

function newHead(now: Instant): Progress {
  return { at: now - TOTALS_KEPT_MS, hour: startOfDay(now - HOURS_KEPT_MS), version: 0 };
}

/** Counts refused requests and deliveries, which have no stamp, when their hour has ended. */
async function countHours(
  { hourCounts }: Pick<Repositories, 'hourCounts'>,
  keyId: KeyId,
  from: Instant,
  until: Instant,
): Promise<readonly NewCount[]> {
  if (until === from) return [];
  const answers = await hourCounts.list({ kind: 'answer', keyId, from });
  const attempts = await hourCounts.list({ kind: 'attempt', keyId, from });
  return [...answers, ...attempts].flatMap(({ kind, hour, name: outcome, count }) => {
    if (hour >= until || outcome === OK || outcome === 'failed') return [];
    const name = kind === 'answer' ? 'refused' : 'delivered';
    return [{ companyId: 'all', day: startOfDay(hour), name, count }];
  });
}
