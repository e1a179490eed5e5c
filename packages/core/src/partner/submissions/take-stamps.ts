import type { KeyId } from '../../domain/ids.js';
import type { Instant } from '../../domain/time.js';
import type { Repositories } from '../../ports/storage.js';
import type { SubmitCall } from '../partner-api.js';

/** Stamps of several keys, one for each acceptance. */
export interface Stamps {
  /** Whether there are stamps of this key. */
  has(keyId: KeyId): boolean;
  /** A key's next stamp. */
  next(keyId: KeyId): Instant;
}

/** The ways in which a batch is looked up: without waiting for a feed, or behind the wait. */
export type LookUpWay = 'non_blocking' | 'with_retry';

/** One try of a batch: the storage may begin its transaction again. */
export interface Try {
  readonly way: LookUpWay;
  /** Whether the transaction has just begun; false when the storage has begun it again. */
  readonly isFirst: boolean;
}

/**
 * Takes a stamp for each call that may come to be accepted. Those of calls that are refused after all stay
 * unused: stamps only ever need to increase. The heads of the feeds stay locked until the commit. A try that does
 * not wait may get no stamps for a key.
 */
export async function takeStamps(
  { feed }: Pick<Repositories, 'feed'>,
  thisTry: Try,
  calls: readonly SubmitCall[],
  now: Instant,
): Promise<Stamps> {
  const counts = new Map<KeyId, number>();
  for (const { key } of calls) counts.set(key.id, (counts.get(key.id) ?? 0) + 1);
  const requests = [...counts].map(([keyId, count]) => ({ keyId, count, withoutEvents: true }));
  const ranges = requests.length === 0 ? [] : await feed[takeOf(thisTry)](requests, now);
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
 * How a try takes the heads. One that does not wait takes all of them the first time, within a moment: mostly it is
 * another process's batch that has one. When that has passed, the transaction is begun again, and takes those that are
 * free.
 */
function takeOf({ way, isFirst }: Try): 'take' | 'takeSoon' | 'takeFree' {
  if (way === 'with_retry') return 'take';
  return isFirst ? 'takeSoon' : 'takeFree';
}
