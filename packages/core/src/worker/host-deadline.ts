import type { Clock } from '../ports/runtime.js';

export class DeadlinePassed extends Error {
  override readonly name = 'DeadlinePassed';
}

function deadlinePassed(ms: number): DeadlinePassed {
  return new DeadlinePassed(`The call did not end within ${ms} ms.`);
}

/**
 * Guards against a host's function that never ends.
 * @throws DeadlinePassed after `ms`.
 */
export async function withDeadline<T>(clock: Clock, ms: number, work: Promise<T>): Promise<T> {
  const ended = new AbortController();
  try {
    return await Promise.race([
      work,
      clock.sleep(ms, ended.signal).then(() => {
        throw deadlinePassed(ms);
      }),
    ]);
  } finally {
    ended.abort();
  }
}

export type SharedDeadline = <T>(work: Promise<T>) => Promise<T>;

/**
 * How many checks the shared timer makes per deadline. Work is given up at its third check, which is 1 to 1.5 deadlines
 * after it began.
 */
const CHECKS = 2;

/**
 * Uses one timer for all calls. A timer per call would cost as much CPU as an attempt.
 * @throws DeadlinePassed
 */
export function createSharedDeadline(clock: Clock, ms: number): SharedDeadline {
  const inProgress = new Map<() => void, number>();
  let checks = 0;
  let timer: AbortController | null = null;

  async function watch({ signal }: AbortController): Promise<void> {
    for (;;) {
      await clock.sleep(ms / CHECKS, signal);
      if (signal.aborted) return;
      checks += 1;
      for (const [giveUp, lastCheck] of inProgress) {
        if (lastCheck > checks) break;
        giveUp();
      }
    }
  }

  function ended(giveUp: () => void): void {
    inProgress.delete(giveUp);
    if (inProgress.size > 0) return;
    timer?.abort();
    timer = null;
  }

  return (work) =>
    new Promise((resolve, reject) => {
      const giveUp = () => {
        ended(giveUp);
        reject(deadlinePassed(ms));
      };
      inProgress.set(giveUp, checks + CHECKS + 1);
      if (timer === null) {
        timer = new AbortController();
        void watch(timer);
      }
      work.then(
        (value) => {
          ended(giveUp);
          resolve(value);
        },
        (error: unknown) => {
          ended(giveUp);
          reject(error);
        },
      );
    });
}

export interface TimeLimit {
  readonly isOver: AbortSignal;
  waitFor(work: Promise<unknown>): Promise<void>;
  end(): void;
}

export function startTimeLimit(clock: Clock, ms: number): TimeLimit {
  const over = new AbortController();
  const ended = new AbortController();
  const passed = clock.sleep(ms, ended.signal).then(() => over.abort());
  return {
    isOver: over.signal,
    waitFor: async (work) => void (await Promise.race([work, passed])),
    end: () => ended.abort(),
  };
}

/** Waits for work, but not longer than `ms`. Then the signal that the work got aborts. */
export async function waitWithin(
  clock: Clock,
  ms: number,
  work: (isOver: AbortSignal) => Promise<unknown>,
): Promise<void> {
  const limit = startTimeLimit(clock, ms);
  await limit.waitFor(work(limit.isOver));
  limit.end();
}
