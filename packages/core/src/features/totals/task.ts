import { OK } from '../../domain/hour-count.js';
import type { KeyId } from '../../domain/ids.js';
import type { Environment } from '../../domain/partner-key.js';
import { DAY_MS, HOUR_MS, type Instant, isReached, MINUTE_MS } from '../../domain/time.js';
import type { Clock } from '../../ports/runtime.js';
import type { Repositories, Storage } from '../../ports/storage.js';
import type { Found, PeriodicTask } from '../../worker/loop.js';
import {
  countFacts,
  type NewCount,
  spreadCounts,
  startOfDay,
  startOfMonth,
  TOTALS_KEPT_MS,
  type TotalHead,
} from './rules.js';

export const COUNT_EVERY_MS = 5 * MINUTE_MS;
const KEYS_PER_POLL = 20;
/** Processes add to hourly counts within about a second, and after an outage a little later. */
const LATE_MS = HOUR_MS;
/** Hourly counts are kept for seven days. */
const HOUR_DAYS_MS = 6 * DAY_MS;

/** The key of the feed, up to its head. */
interface CountedKey {
  readonly keyId: KeyId;
  readonly environment: Environment;
  readonly through: Instant;
}

interface Round {
  readonly beganAt: Instant;
  readonly keys: CountedKey[];
}

/**
 * Adds what is new to the sums, key by key. All up to the head of a feed is committed, because a transaction locks the
 * head when it takes a stamp. The sums and the head of a key commit together, and only if no other worker has counted
 * it.
 */
export function createTotalsTask(
  storage: Pick<Storage<unknown>, 'direct' | 'transaction'>,
  clock: Pick<Clock, 'now'>,
  factsPerStep = 500,
): PeriodicTask {
  const { direct } = storage;
  let nextAt: Instant = clock.now();
  let round: Round | null = null;

  /** Returns null if another worker has counted a moment ago. */
  async function begin(): Promise<Round | null> {
    const beganAt = await direct.time.now();
    const agoMs = beganAt - ((await direct.totals.findHead(''))?.countedAt ?? 0);
    if (agoMs >= 0 && agoMs < COUNT_EVERY_MS / 2) return null;
    const keys: CountedKey[] = [];
    for (const environment of ['production', 'sandbox'] as const) {
      const heads = await direct.feed.listHeads(environment);
      keys.push(...heads.map(({ keyId, at }) => ({ keyId, environment, through: at })));
    }
    return { beganAt, keys };
  }

  async function end({ beganAt }: Round): Promise<void> {
    const { at, countedAt } = (await direct.totals.findHead('')) ?? { at: beganAt, countedAt: 0 };
    await direct.totals.saveHead({ keyId: '', at, countedAt: beganAt, replaces: countedAt, hours: {} });
  }

  /** Counts a part of a key. Returns whether nothing is left. */
  async function countKey({ keyId, environment, through }: CountedKey, beganAt: Instant): Promise<boolean> {
    const oldest = startOfMonth(beganAt - TOTALS_KEPT_MS) - 1;
    const head = (await direct.totals.findHead(keyId)) ?? { at: oldest, countedAt: 0, hours: {} };
    const isBehind = through > head.at;
    const window = { keyId, after: head.at, through, limit: factsPerStep };
    const facts = isBehind ? await direct.totals.listFacts(window) : [];
    const { counts, hours } = await recountHours(direct, keyId, head, beganAt);
    if (!isBehind && counts.length === 0) return true;
    const isWhole = facts.length < factsPerStep;
    const at = isWhole ? Math.max(through, head.at) : (facts.at(-1)?.at ?? through);
    const countedAt = Math.max(beganAt, head.countedAt + 1);
    await storage.transaction(async ({ totals }) => {
      if (!(await totals.saveHead({ keyId, at, countedAt, replaces: head.countedAt, hours }))) return;
      await totals.add(spreadCounts(keyId, environment, [...countFacts(facts), ...counts]));
    });
    return isWhole;
  }

  async function step(): Promise<Found> {
    round ??= await begin();
    if (round === null) return 'nothing';
    for (let count = 0; count < KEYS_PER_POLL; count += 1) {
      const key = round.keys.at(-1);
      if (key === undefined) {
        await end(round);
        round = null;
        return 'some';
      }
      if (await countKey(key, round.beganAt)) round.keys.pop();
    }
    return 'full';
  }

  return {
    name: 'totals',
    async poll() {
      const now = clock.now();
      if (round === null && !isReached(now, nextAt, COUNT_EVERY_MS)) return 'nothing';
      try {
        const found = await step();
        if (round === null) nextAt = now + COUNT_EVERY_MS;
        return found;
      } catch (error) {
        // The storage knows how far the keys are counted, also if the result of a commit is not known here.
        round = null;
        throw error;
      }
    },
    idle: async () => {},
  };
}

/** Counts the hours of the last days again, and returns what was not added yet. So late counts are not missed. */
async function recountHours(
  { hourCounts }: Pick<Repositories, 'hourCounts'>,
  keyId: KeyId,
  { countedAt, hours: added }: Pick<TotalHead, 'countedAt' | 'hours'>,
  now: Instant,
): Promise<{ readonly counts: readonly NewCount[]; readonly hours: TotalHead['hours'] }> {
  const from = startOfDay(Math.max(countedAt - LATE_MS, now - HOUR_DAYS_MS));
  const answers = await hourCounts.list({ kind: 'answer', keyId, from });
  const attempts = await hourCounts.list({ kind: 'attempt', keyId, from });
  const hours: Record<string, number> = {};
  const counts: NewCount[] = [];
  for (const { kind, hour, name, count } of [...answers, ...attempts]) {
    if (name === OK || name === 'failed') continue;
    const figure = kind === 'answer' ? 'refused' : 'delivered';
    const day = startOfDay(hour);
    const place = `${day} ${figure}`;
    hours[place] = (hours[place] ?? 0) + count;
  }
  for (const [place, count] of Object.entries(hours)) {
    const [day, name = ''] = place.split(' ');
    const missing = count - (added[place] ?? 0);
    if (missing > 0) counts.push({ at: Number(day), companyId: null, name, count: missing });
  }
  return { counts, hours };
}
