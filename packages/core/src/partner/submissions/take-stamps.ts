import type { KeyId } from '../../domain/ids.js';
import type { Instant } from '../../domain/time.js';
import type { Repositories } from '../../ports/repositories.js';
import type { SubmitCall } from '../partner-api.js';

/** Stamps of several keys, one for each acceptance. */
export interface Stamps {
  /** Whether there are stamps of this key. */
  has(keyId: KeyId): boolean;
  /** A key's next stamp. */
  next(keyId: KeyId): Instant;
}

/** How a batch is looked up: without waiting for a feed, or behind the wait. */
export type Manner = 'prompt' | 'patient';

/** One run of a batch. */
export interface Round {
  readonly manner: Manner;
  /** Whether the transaction has just begun; false when the storage has begun it again. */
  readonly isFirstTry: boolean;
}

/**
 * Takes a stamp for each call that may come to be accepted. Those of calls that are refused after all stay
 * unused: stamps only ever need to increase. The heads of the feeds stay locked until the commit. A round that does
 * not wait may get no stamps for a key.
 */
export async function takeStamps(
  { feed }: Pick<Repositories, 'feed'>,
  round: Round,
  calls: readonly SubmitCall[],
  now: Instant,
): Promise<Stamps> {
  const counts = new Map<KeyId, number>();
  for (const { key } of calls) counts.set(key.id, (counts.get(key.id) ?? 0) + 1);
  const requests = [...counts].map(([keyId, count]) => ({ keyId, count, withoutEvents: true }));
  const ranges = requests.length === 0 ? [] : await feed[takeOf(round)](requests, now);
  const next = new Map<KeyId, Instant>();
  for (const range of ranges) if (range !== null) next.set(range.keyId, range.first);
  return {
    has: (keyId) => next.has(keyId),
    next: (keyId) => {
      const stamp = next.get(keyId);
      if (stamp === undefined) throw new Error('The storage must give a stamp to each key.');
      next.set(keyId, stamp + 1);
      return stamp;
    },
  };
}

/**
 * How a round takes the heads. One that does not wait takes all of them at the first try, within a moment: mostly it is
 * another process's batch that has one. When that has passed, the transaction is begun again, and takes those that are
 * free.
 */
function takeOf({ manner, isFirstTry }: Round): 'take' | 'takeSoon' | 'takeFree' {
  if (manner === 'patient') return 'take';
  return isFirstTry ? 'takeSoon' : 'takeFree';
}
