import type { Clock } from '../ports/runtime.js';

/** A time that work may take. */
export interface TimeLimit {
  /** Aborts once the time is over. */
  readonly isOver: AbortSignal;
  /** Resolves with the work, or once the time is over: then nobody waits for it any more. */
  waitFor(work: Promise<unknown>): Promise<void>;
  /** The work is done. */
  end(): void;
}

/** Starts a time that may pass. */
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
