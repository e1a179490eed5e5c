import type { FeedHead } from '../domain/feed.js';
import type { KeyId } from '../domain/ids.js';
import { isStepDue, type SandboxStep } from '../domain/sandbox-step.js';
import { DAY_MS, type Instant, SECOND_MS } from '../domain/time.js';
import { StorageUnavailable } from '../errors.js';
import type { Repositories } from '../ports/repositories.js';
import type { Clock } from '../ports/runtime.js';
import type { SandboxStepper } from '../ports/sandbox-stepper.js';
import type { Logger } from '../ports/telemetry.js';
import { isReached } from './is-reached.js';
import type { Chore, Found } from './loop.js';

/** What the chore is made of. */
export interface SandboxPlayerOptions {
  readonly direct: Pick<Repositories, 'feed'>;
  readonly stepper: SandboxStepper;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** How far back a worker that starts looks for what others left undone: over any long weekend. */
const LOOK_BACK_MS = 7 * DAY_MS;
/** Keys whose feeds are read at a look: few, so that their reads fit beside the requests of partners. */
const KEYS_AT_A_LOOK = 16;
/** Steps taken at a look, each a transaction of its own. */
const STEPS_AT_A_LOOK = 32;
/** How long to leave alone what failed: a fault in one sandbox must not fill the log, or hold others up. */
const REST_MS = 30 * SECOND_MS;

/**
 * Builds the chore that lets sandboxes play. It keeps nothing that matters: what is to happen follows from what
 * is stored, and every change shows in the feed of its key. One statement tells which feeds have moved on.
 */
export function createSandboxPlayer({ direct, stepper, clock, logger }: SandboxPlayerOptions): Chore {
  const readThrough = new Map<KeyId, Instant>();
  const readAt = new Map<KeyId, number>();
  let looks = 0;
  const resting = new Map<KeyId, Instant>();
  const planned = new Map<string, SandboxStep>();

  async function look(): Promise<Found> {
    const plans = await readFeeds();
    const steps = await takeSteps();
    if (plans === 'full' || steps === 'full') return 'full';
    return plans === 'some' || steps === 'some' ? 'some' : 'nothing';
  }

  async function readFeeds(): Promise<Found> {
    const now = clock.now();
    const heads = await direct.feed.listHeads('sandbox');
    const moved = heads.filter(
      ({ keyId, at }) =>
        at > (readThrough.get(keyId) ?? -1) && isReached(now, resting.get(keyId) ?? now, REST_MS),
    );
    const some = moved.sort((a, b) => readLast(a) - readLast(b)).slice(0, KEYS_AT_A_LOOK);
    looks += 1;
    const more = await Promise.all(some.map(({ keyId }) => readFeed(keyId, now)));
    return more.includes(true) ? 'full' : amount(some.length, moved.length);
  }

  /** The look that read a feed last: those that are long take turns with the others. */
  function readLast({ keyId }: FeedHead): number {
    return readAt.get(keyId) ?? 0;
  }

  /** Whether there is more of it to read. */
  async function readFeed(keyId: KeyId, now: Instant): Promise<boolean> {
    let hasMore = false;
    readAt.set(keyId, looks);
    await isolate(
      { keyId },
      {
        work: async () => {
          if (!readThrough.has(keyId)) await stepper.prepare(keyId);
          const plan = await stepper.plan(keyId, readThrough.get(keyId) ?? now - LOOK_BACK_MS);
          for (const step of plan.steps) planned.set(nameOf(step), step);
          readThrough.set(keyId, plan.through);
          resting.delete(keyId);
          hasMore = plan.hasMore;
        },
        rest: () => resting.set(keyId, now + REST_MS),
      },
    );
    return hasMore;
  }

  async function takeSteps(): Promise<Found> {
    const now = clock.now();
    const due = [...planned].filter(([, { dueAt }]) => isStepDue(dueAt, now));
    const some = due.slice(0, STEPS_AT_A_LOOK);
    for (const [name, step] of some) {
      await isolate(
        { step: name },
        {
          work: async () => {
            const dueAt = await stepper.take(step);
            if (dueAt === null) planned.delete(name);
            else planned.set(name, { ...step, dueAt });
          },
          rest: () => planned.set(name, { ...step, dueAt: now + REST_MS }),
        },
      );
    }
    return amount(some.length, due.length);
  }

  /** What fails for one sandbox is tried again later; that the storage is down is nobody's own fault. */
  async function isolate(
    fields: Readonly<Record<string, string>>,
    { work, rest }: { readonly work: () => Promise<void>; readonly rest: () => void },
  ): Promise<void> {
    try {
      await work();
    } catch (err) {
      if (err instanceof StorageUnavailable) throw err;
      logger.error({ ...fields, err }, 'A sandbox could not be played on; it is tried again.');
      rest();
    }
  }

  return { name: 'play-sandboxes', look, idle: async () => {} };
}

function amount(done: number, all: number): Found {
  if (done < all) return 'full';
  return done > 0 ? 'some' : 'nothing';
}

function nameOf(step: SandboxStep): string {
  return step.kind === 'application' ? step.id : `${step.keyId}:${step.name}`;
}
