/** Where the client has its time from; tests turn one by hand. */
export interface ClientClock {
  /** Milliseconds since 1970. It should not jump when the machine's clock is set. */
  now(): number;
  /** Resolves after that many milliseconds, or when the signal aborts; it never rejects. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

/** What a timer takes: one that is set further ahead fires at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** The machine's time, as it runs since the process began: setting the clock shortens or lengthens no wait. */
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
