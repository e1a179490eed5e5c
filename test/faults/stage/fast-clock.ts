import type { Clock } from '@partner-hiring/core';

export interface FastClock extends Clock {
  /** Advances time without timers, like a sleeping machine. */
  leap(ms: number): void;
}

/** Creates a clock that runs `times` as fast as real time. */
export function createFastClock(times: number): FastClock {
  const startedAt = performance.now();
  let start = Date.now();
  return {
    now: () => Math.floor(start + (performance.now() - startedAt) * times),
    leap: (ms) => {
      start += ms;
    },
    sleep: (ms, signal) =>
      new Promise((resolve) => {
        if (signal?.aborted === true) return resolve();
        const wake = () => {
          clearTimeout(timer);
          signal?.removeEventListener('abort', wake);
          resolve();
        };
        const timer = setTimeout(wake, ms / times);
        signal?.addEventListener('abort', wake);
      }),
  };
}
