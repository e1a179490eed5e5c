import type { KeyId } from '../domain/ids.js';
import { type Instant, SECOND_MS } from '../domain/time.js';
import type { Clock } from '../ports/runtime.js';
import type { Logger } from '../ports/telemetry.js';
import { onImmediate } from '../real-timers.js';

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
  /** Names a key with new work, so that no poll has to search for it. */
  hint?(keyId: KeyId): void;
  /** Returns whether work that a poll started still runs. */
  isBusy?(): boolean;
  /** When the task must poll next, by the process's clock, even if the storage has no due work. Null if never. */
  nextAt?(): Instant | null;
  /** Leases nothing more, and gives up the leased work that is in progress. Resolves when that is recorded. */
  cut?(): Promise<void>;
  /** Leases again after a cut. */
  reopen?(): void;
  /** Asks the host's work under way to end, and starts no more. Called when the worker stops. */
  end?(): void;
}

export interface Loop {
  start(): void;
  wake(): void;
  /** Polls once, after a poll in progress has ended. It works even if the loop is not running. */
  poll(): Promise<Found>;
  stop(): Promise<void>;
}

/** Keeps a loop from polling while the worker sleeps. */
export interface LoopRest {
  /** Resolves when the loops may poll: at once, unless the worker sleeps. */
  awake(): Promise<void>;
  /** Call before a poll. Call the result with what the poll found. */
  beginPoll(task: PeriodicTask): (found: Found) => void;
}

export interface LoopOptions {
  readonly everyMs: number;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly rest?: LoopRest;
}

/** The longest pause after failures. It limits how late the loop notices the end of an outage. */
const MAX_BACK_OFF_MS = 30 * SECOND_MS;

const ALWAYS_AWAKE: LoopRest = { awake: async () => {}, beginPoll: () => () => {} };

export function createLoop(
  task: PeriodicTask,
  { everyMs, clock, logger, rest = ALWAYS_AWAKE }: LoopOptions,
): Loop {
  const wakeSignal = createWakeSignal(clock);
  let running: Promise<void> | null = null;
  let isStopping = false;
  let lastPoll: Promise<Found> = Promise.resolve('nothing');

  function poll(): Promise<Found> {
    const next = lastPoll.then((last) => pollAfter(last));
    lastPoll = next.catch(() => 'nothing');
    return next;
  }

  /** After a full poll, yields to the event loop first, because an embedded database never does. */
  async function pollAfter(last: Found): Promise<Found> {
    if (last === 'full') await new Promise((resolve) => onImmediate(resolve));
    return task.poll();
  }

  async function run(): Promise<void> {
    let failures = 0;
    for (;;) {
      await rest.awake();
      if (isStopping) return;
      const ended = rest.beginPoll(task);
      try {
        const found = await poll();
        ended(found);
        failures = 0;
        if (found !== 'full') await wakeSignal.wait(everyMs);
      } catch (err) {
        ended('some');
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
 * The reason of each abort. An abort without a reason creates an error with a stack, which costs a tenth of a delivery.
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
