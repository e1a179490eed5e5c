import type { Operation } from '../../domain/operation.js';

export interface JobSyncRunner {
  /** Returns how many ms remain until the next run is due or, during another process's run, until its lease may end. */
  dueIn(): Promise<number>;
  /** Reads the source once. Null if another process reads it. If the source fails, rejects, and the run has ended. */
  run(signal: AbortSignal): Promise<Operation | null>;
}
