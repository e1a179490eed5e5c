import { refuse } from './json.js';

/** Options of a single call. */
export interface CallOptions {
  readonly signal?: AbortSignal | undefined;
  /** The timeout of one attempt, in milliseconds. Default: that of the client. */
  readonly timeoutMs?: number | undefined;
  /**
   * The timeout of the call with all attempts and waits, or of each page of a list, in milliseconds. At most a week.
   * Default: that of the client.
   */
  readonly totalTimeoutMs?: number | undefined;
}

const WEEK_MS = 7 * 24 * 60 * 60 * 1_000;

/** Copies the options of a call, because the caller may change what it has passed. @throws TypeError */
export function readCall({ signal, timeoutMs, totalTimeoutMs }: CallOptions = {}): CallOptions {
  if (timeoutMs !== undefined) readTimeout('timeoutMs', timeoutMs);
  if (totalTimeoutMs !== undefined) readTimeout('totalTimeoutMs', totalTimeoutMs);
  // One of its own, because Node warns of a leak when many calls listen to one signal.
  return { signal: signal && AbortSignal.any([signal]), timeoutMs, totalTimeoutMs };
}

/** @throws TypeError */
export function readTimeout(name: string, ms: number): number {
  if (positive(name, ms) <= WEEK_MS) return ms;
  refuse(`${name} must be at most ${WEEK_MS}, a week.`);
}

/** @throws TypeError */
export function positive(name: string, value: number): number {
  if (Number.isFinite(value) && value > 0) return value;
  refuse(`${name} must be greater than 0.`);
}
