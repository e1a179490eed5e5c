import { SECOND_MS } from '../domain/time.js';
import type { Clock } from '../ports/runtime.js';
import type { Logger } from '../ports/telemetry.js';

/** How much a poll found. `full` means that more work may be due. */
export type Found = 'nothing' | 'some' | 'full';

export function amountFound(done: number, due: number): Found {
  if (done < due) return 'full';
  return done > 0 ? 'some' : 'nothing';
}

export interface PeriodicTask {
  readonly name: string;
  /** Starts due work. Polls never overlap. */
  poll(): Promise<Found>;
  idle(): Promise<void>;
}

export interface Loop {
  start(): void;
  wake(): void;
  /** Polls once, after a poll in progress has ended. It works even if the loop is not running. */
  poll(): Promise<Found>;
  stop(): Promise<void>;
}

export interface LoopOptions {
  readonly everyMs: number;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** The longest pause after failures. It limits how late the loop notices the end of an outage. */
const MAX_BACK_OFF_MS = 30 * SECOND_MS;

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

  /** Yields first after a full poll, because an embedded database never yields to the event loop. */
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
        logger.error(
          { err, task: task.name, failures },
          'The worker could not poll for work; it tries again.',
        );
        await wakeSignal.wait(Math.min(MAX_BACK_OFF_MS, everyMs * 2 ** failures));
      }
    }
  }

  return {
    start: () => {
      if (!isStopping) running ??= run();
    },
    wake: wakeSignal.wake,
    poll,
    async stop() {
      isStopping = true;
      wakeSignal.wake();
      await running;
    },
  };
}

/** Wakes one waiting loop. A wake ends the current wait, or the next one if no wait is running. */
export interface WakeSignal {
  wake(): void;
  wait(ms: number): Promise<void>;
}

/**
 * The reason of each abort. Without it, an abort creates an error with a stack, which costs a tenth of a
 * delivery.
 */
const WOKEN = 'woken';

/** Creates the wake signal of a loop. Change the loop's state before you call `wake`. */
export function createWakeSignal(clock: Clock): WakeSignal {
  let isWoken = false;
  let waiting: AbortController | null = null;
  return {
    wake() {
      isWoken = true;
      waiting?.abort(WOKEN);
    },
    async wait(ms) {
      if (!isWoken) {
        waiting = new AbortController();
        await clock.sleep(ms, waiting.signal);
        waiting = null;
      }
      isWoken = false;
    },
  };
}
