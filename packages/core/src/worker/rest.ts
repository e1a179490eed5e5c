import { HOUR_MS, type Instant } from '../domain/time.js';
import type { Clock } from '../ports/runtime.js';
import type { Repositories } from '../ports/storage.js';
import type { Logger } from '../ports/telemetry.js';
import type { Found, LoopRest, PeriodicTask } from './loop.js';
import type { WorkerOptions } from './options.js';

/** Stops the loops of a worker while nothing is due, so that its database may pause. */
export interface Rest extends LoopRest {
  /** Wakes the worker, and keeps it awake until all tasks have polled again. */
  wake(): void;
  /**
   * Announces work that a transaction of the host commits at an unknown time. The worker looks for the work at growing
   * intervals. It finds the work at the latest after twice the time from this call to the commit.
   */
  expect(): void;
  /** Says whether a listener wakes the worker for the work of other processes. */
  setListening(isListening: boolean): void;
  /** Wakes the worker permanently. Resolves when no report is outstanding. */
  end(): Promise<void>;
}

export interface RestOptions {
  readonly direct: Pick<Repositories, 'work'>;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly options: Pick<WorkerOptions, 'pollEveryMs'> & { readonly idlePollMs: number | null };
  /** Whether commits of other processes reach a listener. */
  readonly announcesWork: boolean;
  readonly withInbox: boolean;
  /** The tasks that must find nothing before the worker sleeps. */
  readonly tasks: () => readonly PeriodicTask[];
  /** Does the upkeep of a sleeping worker, such as sweeps. Returns how much it found. */
  readonly upkeep: () => Promise<Found>;
  /** Tells the storage that the worker lives and sleeps for `sleepMs`. */
  readonly report: (sleepMs: number) => Promise<void>;
}

/** How long a worker sleeps by default while a listener reports all work to it. */
const LISTENING_IDLE_MS = HOUR_MS;

const FAILED = 'The worker could not look for the next work; it stays awake and polls.';

export function createRest(given: RestOptions): Rest {
  const { direct, clock, logger, options, announcesWork, withInbox, tasks, upkeep, report } = given;
  const { pollEveryMs } = options;
  const quiet = new Set<PeriodicTask>();
  /** Changes with each wake and each poll that found something. */
  let activity = 0;
  let isListening = false;
  let isEnded = false;
  let deciding: Promise<void> | null = null;
  let expectedAt: Instant | null = null;
  let sleeping: Promise<void> | null = null;
  let sleeper: AbortController | null = null;

  function idleMs(): number {
    return options.idlePollMs ?? (announcesWork && isListening ? LISTENING_IDLE_MS : pollEveryMs);
  }

  function isBusy(): boolean {
    return tasks().some((task) => task.isBusy?.() ?? false);
  }

  function beActive(): void {
    activity += 1;
    quiet.clear();
  }

  function wake(): void {
    beActive();
    sleeper?.abort('woken');
  }

  /** Returns the longest sleep while a transaction of the host may still commit work: the time since `expect`. */
  function expectedIn(): number {
    const passedMs = expectedAt === null ? Infinity : clock.now() - expectedAt;
    if (passedMs < 0 || passedMs >= idleMs()) expectedAt = null;
    return expectedAt === null ? Infinity : passedMs;
  }

  async function sleep(ms: number): Promise<void> {
    sleeper = new AbortController();
    await clock.sleep(ms, sleeper.signal);
    sleeper = null;
  }

  /** How long nothing is due, in milliseconds, at most `idlePollMs`. */
  async function idleTime(): Promise<number> {
    const { now, dueAt } = await direct.work.findNext(withInbox);
    const planned = tasks().flatMap((task) => task.nextAt?.() ?? []);
    const dueIn = dueAt === null ? Infinity : dueAt - now;
    const plannedIn = Math.min(Infinity, ...planned) - clock.now();
    return Math.min(idleMs(), dueIn, plannedIn, expectedIn());
  }

  /** Returns how long to sleep, or null to stay awake. */
  async function timeToSleep(since: number): Promise<number | null> {
    try {
      const ms = await idleTime();
      return activity === since && !isEnded && ms > pollEveryMs ? ms : null;
    } catch (err) {
      logger.error({ err }, FAILED);
      return null;
    }
  }

  async function sleepWhileIdle(): Promise<void> {
    const since = activity;
    // The tasks must poll once more before the next decision.
    quiet.clear();
    let sleepMs = await timeToSleep(since);
    if (sleepMs === null) return;
    let open: () => void = () => {};
    sleeping = new Promise((resolve) => {
      open = resolve;
    });
    while (sleepMs !== null) {
      await report(sleepMs);
      if (activity === since && !isEnded) await sleep(sleepMs);
      if (activity !== since || isEnded) break;
      if ((await upkeep().catch(reportFailure)) === 'full' || activity !== since) break;
      sleepMs = await timeToSleep(since);
    }
    sleeping = null;
    beActive();
    open();
  }

  function reportFailure(err: unknown): Found {
    logger.error({ err }, FAILED);
    return 'full';
  }

  function considerSleep(): void {
    if (deciding !== null || isEnded || idleMs() <= pollEveryMs) return;
    if (!tasks().every((task) => quiet.has(task))) return;
    deciding = sleepWhileIdle().finally(() => {
      deciding = null;
    });
  }

  return {
    async awake() {
      while (sleeping !== null) await sleeping;
    },
    beginPoll(task) {
      const since = activity;
      const wasBusy = isBusy();
      return (found) => {
        if (found !== 'nothing' || wasBusy || isBusy()) beActive();
        else if (activity === since) quiet.add(task);
        considerSleep();
      };
    },
    wake,
    expect() {
      expectedAt = clock.now();
      wake();
    },
    setListening(isNowListening) {
      isListening = isNowListening;
      wake();
    },
    async end() {
      isEnded = true;
      wake();
      await deciding;
    },
  };
}
