/**
 * How long after a wake notifications wait for the next one. Any role that can connect may send notifications, and each wake
 * costs the worker a few statements.
 */
export const JOIN_MS = 100;

export interface JoinedWakes {
  notify(): void;
  close(): void;
}

/** Wakes at the first notification. Those that follow within {@link JOIN_MS} cause one more wake. */
export function createJoinedWakes(wake: () => void): JoinedWakes {
  let timer: NodeJS.Timeout | null = null;
  let isAwaited = false;
  let isClosed = false;

  function wakeNow(): void {
    isAwaited = false;
    timer = setTimeout(() => {
      timer = null;
      if (isAwaited) wakeNow();
    }, JOIN_MS);
    wake();
  }

  return {
    notify: () => {
      if (isClosed) return;
      if (timer === null) wakeNow();
      else isAwaited = true;
    },
    close: () => {
      isClosed = true;
      if (timer !== null) clearTimeout(timer);
    },
  };
}
