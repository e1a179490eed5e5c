import { SECOND_MS } from '../domain/time.js';
import type { Clock } from '../ports/runtime.js';
import type { Logger } from '../ports/telemetry.js';
import { createBell } from './bell.js';

/** What a look for work came to: nothing due, something, or as much as could be taken on at once. */
export type Found = 'nothing' | 'some' | 'full';

/** What doing so many of all that is due came to. */
export function amountFound(done: number, due: number): Found {
  if (done < due) return 'full';
  return done > 0 ? 'some' : 'nothing';
}

/** Something a worker does again and again. */
export interface Chore {
  readonly name: string;
  /** Looks for what is due and begins it. Looks never overlap. */
  look(): Promise<Found>;
  /** Resolves when nothing that was begun is under way. */
  idle(): Promise<void>;
}

/** A chore that runs by itself. */
export interface Loop {
  start(): void;
  /** Looks now rather than at the next poll. */
  wake(): void;
  /** One look, after the one that is under way; whether the loop runs or not. */
  look(): Promise<Found>;
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
export function createLoop(chore: Chore, { everyMs, clock, logger }: LoopOptions): Loop {
  const bell = createBell(clock);
  let running: Promise<void> | null = null;
  let isStopping = false;
  let lastLook: Promise<Found> = Promise.resolve('nothing');

  function look(): Promise<Found> {
    const next = lastLook.then((last) => lookAfter(last));
    lastLook = next.catch(() => 'nothing');
    return next;
  }

  /** A database that is a file answers without a turn of the event loop: requests would wait for all that is due. */
  async function lookAfter(last: Found): Promise<Found> {
    if (last === 'full') await new Promise((resolve) => setImmediate(resolve));
    return chore.look();
  }

  async function run(): Promise<void> {
    let failures = 0;
    while (!isStopping) {
      try {
        const found = await look();
        failures = 0;
        if (found !== 'full') await bell.wait(everyMs);
      } catch (err) {
        failures += 1;
        logger.error({ err, chore: chore.name, failures }, 'The worker could not look for work.');
        await bell.wait(Math.min(MAX_BACK_OFF_MS, everyMs * 2 ** failures));
      }
    }
  }

  return {
    start: () => {
      if (!isStopping) running ??= run();
    },
    wake: bell.ring,
    look,
    async stop() {
      isStopping = true;
      bell.ring();
      await running;
    },
  };
}
