import type { FeedHead } from '../../domain/feed.js';
import type { KeyId } from '../../domain/ids.js';
import type { SandboxStep } from '../../domain/sandbox-step.js';
import { DAY_MS, type Instant } from '../../domain/time.js';
import type { Clock } from '../../ports/runtime.js';
import type { SandboxStepper } from '../../ports/sandbox-stepper.js';
import type { Repositories } from '../../ports/storage.js';
import type { StorageClock } from '../../storage-clock.js';
import { isReached } from '../is-reached.js';
import { amountFound, type Found } from '../loop.js';
import { type Isolate, REST_MS } from './isolate.js';

/** What feeds are read with. */
export interface FeedReaderParts {
  readonly direct: Pick<Repositories, 'feed'>;
  readonly stepper: Pick<SandboxStepper, 'prepare' | 'plan'>;
  /** For how long a feed is left alone that could not be read. */
  readonly clock: Pick<Clock, 'now'>;
  /** For how far back a feed is read, which is of stamps. */
  readonly storageClock: Pick<StorageClock, 'sync'>;
  readonly isolate: Isolate;
  /** Takes the steps that a feed tells of. */
  readonly onPlanned: (steps: readonly SandboxStep[]) => void;
}

/** How far back a worker that starts looks for what others left undone: over any long weekend. */
const LOOK_BACK_MS = 7 * DAY_MS;
/** Keys whose feeds are read at a look: few, so that their reads fit beside the requests of partners. */
const KEYS_AT_A_LOOK = 16;

/** Reads on, at each look, some of the feeds that have moved. One statement tells which have. */
export function createFeedReader(parts: FeedReaderParts): () => Promise<Found> {
  const { direct, stepper, clock, storageClock, isolate, onPlanned } = parts;
  const readThrough = new Map<KeyId, Instant>();
  const readAt = new Map<KeyId, number>();
  const resting = new Map<KeyId, Instant>();
  let polls = 0;

  /** The look that read a feed last: those that are long take turns with the others. */
  function readLast({ keyId }: FeedHead): number {
    return readAt.get(keyId) ?? 0;
  }

  /** Whether there is more of it to read. */
  async function readFeed(keyId: KeyId): Promise<boolean> {
    let hasMore = false;
    readAt.set(keyId, polls);
    const work = async () => {
      if (!readThrough.has(keyId)) await stepper.prepare(keyId);
      const after = readThrough.get(keyId) ?? (await storageClock.sync()) - LOOK_BACK_MS;
      const plan = await stepper.plan(keyId, after);
      onPlanned(plan.steps);
      readThrough.set(keyId, plan.through);
      resting.delete(keyId);
      hasMore = plan.hasMore;
    };
    await isolate({ keyId }, { work, rest: () => resting.set(keyId, clock.now() + REST_MS) });
    return hasMore;
  }

  return async () => {
    const now = clock.now();
    const heads = await direct.feed.listHeads('sandbox');
    const moved = heads.filter(
      ({ keyId, at }) =>
        at > (readThrough.get(keyId) ?? -1) && isReached(now, resting.get(keyId) ?? now, REST_MS),
    );
    const some = moved.sort((a, b) => readLast(a) - readLast(b)).slice(0, KEYS_AT_A_LOOK);
    polls += 1;
    const more = await Promise.all(some.map(({ keyId }) => readFeed(keyId)));
    return more.includes(true) ? 'full' : amountFound(some.length, moved.length);
  };
}
