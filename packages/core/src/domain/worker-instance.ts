import type { WorkerId } from './ids.js';
import { DAY_MS, type Instant, SECOND_MS } from './time.js';

/** The sealing keys that a worker knows, and whether it can open signing secrets. */
export interface WorkerSealing {
  /** The sealing keys that it knows; null if its secret box does not say. */
  readonly keyIds: readonly string[] | null;
  /** Since when it cannot open a secret; null if it can, by its own clock. */
  readonly failingSince: Instant | null;
}

/** A started worker, as it was last seen. All instants are by the storage's clock. */
export interface WorkerInstance {
  /** The name of its host, at most 200 characters. */
  readonly name: string;
  readonly pid: number;
  /** The version of `@partner-hiring/core`. */
  readonly release: string;
  /** The deployment of its process; null if it has none. */
  readonly deployment: string | null;
  readonly id: WorkerId;
  readonly startedAt: Instant;
  readonly lastSeenAt: Instant;
  /** When its last sweep of expired rows ended; null before that. */
  readonly lastSweepAt: Instant | null;
  /** When it wakes, if it sleeps because nothing is due; null while it polls. */
  readonly sleepsUntil: Instant | null;
  /** Null if it has not reported it. */
  readonly sealing: WorkerSealing | null;
}

/** The process that a worker runs in. It contains no personal data. */
export type WorkerProcess = Pick<WorkerInstance, 'name' | 'pid' | 'release' | 'deployment'>;

/** How often a worker reports that it is alive, in milliseconds. */
export const HEARTBEAT_MS = 30 * SECOND_MS;

/** A worker that was seen this recently is alive, in milliseconds. It may miss two heartbeats. */
export const ALIVE_MS = 3 * HEARTBEAT_MS;

/** How long the row of a killed worker stays, in milliseconds: long enough to see what ran yesterday. */
export const WORKERS_KEPT_MS = DAY_MS;

/** More workers than any installation has, so that killed ones do not hide those that are alive. */
export const MOST_WORKERS = 100;

/** Returns whether the worker was seen, or announced that it wakes, in the last 90 seconds or later. */
export function isWorkerAlive(
  { lastSeenAt, sleepsUntil }: Pick<WorkerInstance, 'lastSeenAt' | 'sleepsUntil'>,
  now: Instant,
): boolean {
  return now - Math.max(lastSeenAt, sleepsUntil ?? lastSeenAt) <= ALIVE_MS;
}
