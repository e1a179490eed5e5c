import type { ClientClock } from '../clock.js';

/** Wakes somebody once, at the time that was set last. */
export interface Alarm {
  /** In the place of the time before; `Infinity` switches the alarm off. */
  setFor(at: number): void;
}

/** An alarm that is not set. */
export function createAlarm(clock: ClientClock, wake: () => void): Alarm {
  let current: { readonly at: number; readonly off: AbortController } | null = null;
  return {
    setFor: (at) => {
      if (at === (current?.at ?? Number.POSITIVE_INFINITY)) return;
      current?.off.abort();
      current = null;
      if (!Number.isFinite(at)) return;
      const off = new AbortController();
      current = { at, off };
      void clock.sleep(at - clock.now(), off.signal).then(() => {
        if (off.signal.aborted) return;
        current = null;
        wake();
      });
    },
  };
}
