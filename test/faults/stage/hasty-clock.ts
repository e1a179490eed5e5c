import type { ClientClock } from '@partner-hiring/client';

/** A minute passes in two seconds: pauses are as they are, and nobody has to sit through them. */
const HASTE = 30;

/** Time for a client under attack. */
export function createHastyClock(): ClientClock {
  const startedAt = performance.now();
  return {
    now: () => Date.now() + (performance.now() - startedAt) * (HASTE - 1),
    sleep: (ms, signal) =>
      new Promise((resolve) => {
        if (signal?.aborted === true) return resolve();
        const wake = () => {
          clearTimeout(timer);
          signal?.removeEventListener('abort', wake);
          resolve();
        };
        const timer = setTimeout(wake, ms / HASTE);
        signal?.addEventListener('abort', wake);
      }),
  };
}
