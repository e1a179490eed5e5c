import type { Clock } from '../ports/runtime.js';

/** Work of the host that took too long. It may still end; nobody waits for it. */
export class DeadlinePassed extends Error {
  override readonly name = 'DeadlinePassed';
}

/**
 * What the work comes to, if it does within that time: a host's function that never ends must not stop a
 * loop for good.
 *
 * @throws DeadlinePassed otherwise.
 */
export async function withDeadline<T>(clock: Clock, ms: number, work: Promise<T>): Promise<T> {
  const ended = new AbortController();
  try {
    return await Promise.race([
      work,
      clock.sleep(ms, ended.signal).then(() => {
        throw new DeadlinePassed(`It did not end within ${ms} ms.`);
      }),
    ]);
  } finally {
    ended.abort();
  }
}

/** A deadline for much that is under way at once. */
export type SharedDeadline = <T>(work: Promise<T>) => Promise<T>;

/** How many looks fit into a shared deadline. Work is given up at its third look: after 1 to 1.5 times the deadline. */
const LOOKS = 2;

/**
 * The same deadline for all work handed to it, with one timer for all of it: one that is set and broken off for each
 * takes as long as what an attempt computes. It is coarse, and keeps no timer while nothing is under way.
 *
 * @throws DeadlinePassed where the work has not ended.
 */
export function createSharedDeadline(clock: Clock, ms: number): SharedDeadline {
  /** What is under way, by when it is given up, the oldest first. */
  const underWay = new Map<() => void, number>();
  let polls = 0;
  let timer: AbortController | null = null;

  async function watch({ signal }: AbortController): Promise<void> {
    for (;;) {
      await clock.sleep(ms / LOOKS, signal);
      if (signal.aborted) return;
      polls += 1;
      for (const [giveUp, lastPoll] of underWay) {
        if (lastPoll > polls) break;
        giveUp();
      }
    }
  }

  function ended(giveUp: () => void): void {
    underWay.delete(giveUp);
    if (underWay.size > 0) return;
    timer?.abort();
    timer = null;
  }

  return (work) =>
    new Promise((resolve, reject) => {
      const giveUp = () => {
        ended(giveUp);
        reject(new DeadlinePassed(`It did not end within ${ms} ms.`));
      };
      underWay.set(giveUp, polls + LOOKS + 1);
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
