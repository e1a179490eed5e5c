import type { Execute } from '../execute.js';
import type { SubmissionStore } from '../submission-store.js';
import type { Application } from '../wire.js';

/** What submitting needs. */
export interface SubmissionContext {
  readonly execute: Execute;
  readonly store: SubmissionStore;
  /** Whose records these are. */
  readonly scope: string;
  readonly findApplication: (id: string, signal?: AbortSignal) => Promise<Application>;
}
