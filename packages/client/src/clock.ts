/** The client's source of time. */
export interface ClientClock {
  /** Milliseconds since 1970. Must not jump when the system clock is set. */
  now(): number;
  /** Resolves after `ms`, or when the signal aborts. Never rejects. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

/** The longest delay that `setTimeout` supports. It fires at once if the delay is longer. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** Monotonic time: setting the system clock does not change a wait. */
export const systemClock: ClientClock = {
  now: () => performance.timeOrigin + performance.now(),
  sleep: (ms, signal) =>
    new Promise((resolve) => {
      if (signal?.aborted === true) return resolve();
      const wake = () => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', wake);
        resolve();
      };
      const timer = setTimeout(wake, Math.min(Math.max(0, ms), LONGEST_TIMER_MS));
      signal?.addEventListener('abort', wake);
    }),
};
