import { SECOND_MS } from '../domain/time.js';
import type { Clock } from '../ports/runtime.js';
import type { Logger } from '../ports/telemetry.js';

/** `full`: more may be due. */
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
  /** Once after a poll in progress, even if the loop is not running. */
  poll(): Promise<Found>;
  stop(): Promise<void>;
}

export interface LoopOptions {
  readonly everyMs: number;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Bounds how late the loop notices the end of an outage. */
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

  /** An embedded database never yields to the event loop. */
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

/** Wakes one waiting loop: its current or next wait. */
export interface WakeSignal {
  wake(): void;
  wait(ms: number): Promise<void>;
}

/** Without a reason, an abort creates an error with a stack: a tenth of a delivery's cost. */
const WOKEN = 'woken';

/** Change the loop's state before you call `wake`. */
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
