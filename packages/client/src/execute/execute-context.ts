import type { Traffic } from '../traffic.js';
import type { AttemptDeps } from './attempt.js';
import type { AttemptReport } from './attempt-report.js';

/** What executing needs. */
export interface ExecuteContext extends AttemptDeps {
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly traffic: Traffic;
  /** Uncertain attempts of one request, at most. Waiting for a limit is none. */
  readonly maxAttempts: number;
  /** From asking to the last answer, waits for limits included. */
  readonly totalTimeoutMs: number;
  /** The longest time that an answer may ask to wait for. */
  readonly maxRetryAfterMs: number;
  /** From 0 up to 1. */
  readonly random: () => number;
  readonly onAttempt: (report: AttemptReport) => void;
}
