import type { FeedHead } from '../../domain/feed.js';
import type { KeyId } from '../../domain/ids.js';
import { DAY_MS, type Instant, isReached, SECOND_MS } from '../../domain/time.js';
import { StorageUnavailable } from '../../errors.js';
import type { Clock } from '../../ports/runtime.js';
import type { Repositories } from '../../ports/storage.js';
import type { Logger } from '../../ports/telemetry.js';
import type { StorageClock } from '../../storage-clock.js';
import { amountFound, type Found, type PeriodicTask } from '../../worker/loop.js';
import type { SandboxStepper } from './service.js';
import { isStepDue, type SandboxStep } from './step-rules.js';

export interface SandboxPlayerOptions {
  readonly direct: Pick<Repositories, 'feed'>;
  readonly stepper: SandboxStepper;
  readonly clock: Clock;
  readonly storageClock: StorageClock;
  readonly logger: Logger;
}

/** Simulates hiring in sandboxes. It has no durable state: the steps follow from the feeds. */
export function createSandboxPlayer(options: SandboxPlayerOptions): PeriodicTask {
  const isolate = createIsolate(options.logger);
  const plan = createStepPlan(options, isolate);
  const readFeeds = createFeedReader(options, isolate, plan.add);

  return {
    name: 'play-sandboxes',
    async poll() {
      const found = [await readFeeds.poll(), await plan.takeDue()];
      if (found.includes('full')) return 'full';
      return found.includes('some') ? 'some' : 'nothing';
    },
    idle: async () => {},
    nextAt() {
      const dueAt = plan.nextDueAt();
      const readAt = readFeeds.nextAt();
      const stepAt = dueAt === null ? Infinity : dueAt - options.storageClock.now() + options.clock.now();
      const at = Math.min(stepAt, readAt ?? Infinity);
      return at === Infinity ? null : at;
    },
  };
}

/** The pause of a sandbox after a failure. A failing sandbox must not fill the log or delay others. */
const COOLDOWN_MS = 30 * SECOND_MS;

interface Isolated {
  readonly fields: Readonly<Record<string, string>>;
  readonly work: () => Promise<void>;
  readonly onFailure: () => void;
}

type Isolate = (isolated: Isolated) => Promise<void>;

function createIsolate(logger: Logger): Isolate {
  return async ({ fields, work, onFailure }) => {
    try {
      await work();
    } catch (err) {
      if (err instanceof StorageUnavailable) throw err;
      logger.error({ ...fields, err }, 'Sandbox step failed; it will be retried.');
      onFailure();
    }
  };
}

/**
 * How far back a new worker reads. It finds steps that other workers left undone, even over a long weekend.
 */
const LOOK_BACK_MS = 7 * DAY_MS;
/** Few enough keys that a poll does not delay partner requests. */
const KEYS_PER_POLL = 16;

interface FeedReader {
  poll(): Promise<Found>;
  /** When the first pause after a failure ends, by the process's clock. */
  nextAt(): Instant | null;
}

function createFeedReader(
  { direct, stepper, clock, storageClock }: SandboxPlayerOptions,
  isolate: Isolate,
  onPlanned: (steps: readonly SandboxStep[]) => void,
): FeedReader {
  const readThrough = new Map<KeyId, Instant>();
  const readAt = new Map<KeyId, number>();
  const cooldowns = new Map<KeyId, Instant>();
  let polls = 0;

  function lastRead({ keyId }: FeedHead): number {
    return readAt.get(keyId) ?? 0;
  }

  async function readFeed(keyId: KeyId): Promise<boolean> {
    let hasMore = false;
    readAt.set(keyId, polls);
    const work = async () => {
      if (!readThrough.has(keyId)) await stepper.prepare(keyId);
      const after = readThrough.get(keyId) ?? (await storageClock.sync()) - LOOK_BACK_MS;
      const plan = await stepper.plan(keyId, after);
      onPlanned(plan.steps);
      readThrough.set(keyId, plan.through);
      cooldowns.delete(keyId);
      hasMore = plan.hasMore;
    };
    const onFailure = () => cooldowns.set(keyId, clock.now() + COOLDOWN_MS);
    await isolate({ fields: { keyId }, work, onFailure });
    return hasMore;
  }

  async function poll(): Promise<Found> {
    const now = clock.now();
    const heads = await direct.feed.listHeads('sandbox');
    const moved = heads.filter(
      ({ keyId, at }) =>
        at > (readThrough.get(keyId) ?? -1) && isReached(now, cooldowns.get(keyId) ?? now, COOLDOWN_MS),
    );
    const some = moved.sort((a, b) => lastRead(a) - lastRead(b)).slice(0, KEYS_PER_POLL);
    polls += 1;
    const more = await Promise.all(some.map(({ keyId }) => readFeed(keyId)));
    return more.includes(true) ? 'full' : amountFound(some.length, moved.length);
  }

  return { poll, nextAt: () => earliest(cooldowns.values()) };
}

function earliest(instants: Iterable<Instant>): Instant | null {
  const all = [...instants];
  return all.length === 0 ? null : Math.min(...all);
}

interface StepPlan {
  add(steps: readonly SandboxStep[]): void;
  takeDue(): Promise<Found>;
  /** By the storage's clock. */
  nextDueAt(): Instant | null;
}

const STEPS_PER_POLL = 32;

function createStepPlan({ stepper, storageClock }: SandboxPlayerOptions, isolate: Isolate): StepPlan {
  const planned = new Map<string, SandboxStep>();

  async function takeStep(name: string, step: SandboxStep): Promise<void> {
    const dueAt = await stepper.take(step);
    if (dueAt === null) planned.delete(name);
    else planned.set(name, { ...step, dueAt });
  }

  return {
    add(steps) {
      for (const step of steps) planned.set(nameOf(step), step);
    },

    async takeDue() {
      const now = await storageClock.sync();
      const due = [...planned].filter(([, { dueAt }]) => isStepDue(dueAt, now));
      const some = due.slice(0, STEPS_PER_POLL);
      for (const [name, step] of some) {
        const onFailure = () => planned.set(name, { ...step, dueAt: now + COOLDOWN_MS });
        await isolate({ fields: { step: name }, work: () => takeStep(name, step), onFailure });
      }
      return amountFound(some.length, due.length);
    },

    nextDueAt: () => earliest([...planned.values()].map(({ dueAt }) => dueAt)),
  };
}

function nameOf(step: SandboxStep): string {
  return step.kind === 'application' ? step.id : `${step.keyId}:${step.name}`;
}
