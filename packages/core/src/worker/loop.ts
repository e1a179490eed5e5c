import { SECOND_MS } from '../domain/time.js';
import type { Clock } from '../ports/runtime.js';
import type { Logger } from '../ports/telemetry.js';
import { createWakeSignal } from './wake-signal.js';

/** What a look for work came to: nothing due, something, or as much as could be taken on at once. */
export type Found = 'nothing' | 'some' | 'full';

/** What doing so many of all that is due came to. */
export function amountFound(done: number, due: number): Found {
  if (done < due) return 'full';
  return done > 0 ? 'some' : 'nothing';
}

/** Something a worker does again and again. */
export interface PeriodicTask {
  readonly name: string;
  /** Looks for what is due and begins it. Looks never overlap. */
  poll(): Promise<Found>;
  /** Resolves when nothing that was begun is under way. */
  idle(): Promise<void>;
}

/** A chore that runs by itself. */
export interface Loop {
  start(): void;
  /** Looks now rather than at the next poll. */
  wake(): void;
  /** One look, after the one that is under way; whether the loop runs or not. */
  poll(): Promise<Found>;
  /** Ends after the look that is under way. */
  stop(): Promise<void>;
}

/** How a loop runs. */
export interface LoopOptions {
  readonly everyMs: number;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** The longest wait after failures: an outage that ended is noticed within half a minute. */
const MAX_BACK_OFF_MS = 30 * SECOND_MS;

/** Runs a chore: polls, comes at once when woken, and backs off while looking fails. */
export function createLoop(task: PeriodicTask, { everyMs, clock, logger }: LoopOptions): Loop {
  const wakeSignal = createWakeSignal(clock);
  let running: Promise<void> | null = null;
  let isStopping = false;
  let lastPoll: Promise<Found> = Promise.resolve('nothing');

  function poll(): Promise<Found> {
    const next = lastPoll.then((last) => pollAfter(last));
    lastPoll = next.catch(() => 'nothing');
    return next;
  }

  /** A database that is a file answers without a turn of the event loop: requests would wait for all that is due. */
  async function pollAfter(last: Found): Promise<Found> {
    if (last === 'full') await new Promise((resolve) => setImmediate(resolve));
    return task.poll();
  }

  async function run(): Promise<void> {
    let failures = 0;
    while (!isStopping) {
      try {
        const found = await poll();
        failures = 0;
        if (found !== 'full') await wakeSignal.wait(everyMs);
      } catch (err) {
        failures += 1;
        logger.error({ err, task: task.name, failures }, 'The worker could not look for work.');
        await wakeSignal.wait(Math.min(MAX_BACK_OFF_MS, everyMs * 2 ** failures));
      }
    }
  }

  return {
    start: () => {
      if (!isStopping) running ??= run();
    },
    wake: wakeSignal.ring,
    poll,
    async stop() {
      isStopping = true;
      wakeSignal.ring();
      await running;
    },
  };
}
