import type { Clock } from '@partner-hiring/core/ports';

/** Time in fast motion. */
export interface FastClock extends Clock {
  /** Moves time on at once, as over a night in which the machine sleeps: timers run on as they were. */
  leap(ms: number): void;
}

/** Time that runs so many times as fast as the machine's, from now on. */
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
