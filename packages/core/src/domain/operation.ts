import type { Actor } from './audit.js';
import type { CompanyId, KeyId, OperationId } from './ids.js';
import type { Instant } from './time.js';

/** What an operation does, with its filter. */
export type OperationPlan = SendPlan | ErasePlan | JobsPlan;

/** Sends deliveries of a key. */
export type SendPlan =
  /** Sends dead letters again, and retries now the deliveries that wait for their next attempt. */
  | { readonly kind: 'redeliver_all'; readonly keyId: KeyId }
  /** Sends the events of a time range again. `since` is inclusive, `until` exclusive. */
  | {
      readonly kind: 'redeliver_since';
      readonly keyId: KeyId;
      readonly since: Instant;
      readonly until: Instant | null;
    }
  /** Retries now the deliveries that wait for their next attempt. */
  | { readonly kind: 'retry_now'; readonly keyId: KeyId };

/** Publishes jobs, or closes those of a company that were open when the operation started. */
export type JobsPlan =
  | { readonly kind: 'publish_jobs' }
  | { readonly kind: 'close_jobs'; readonly companyId: CompanyId };

/** Erases the candidates of applications that were submitted before the operation started. */
export interface ErasePlan {
  readonly kind: 'erase';
  /** Null for all companies. */
  readonly companyId: CompanyId | null;
  /** Only applications whose last change is older. Exclusive. Null for any age. */
  readonly changedBefore: Instant | null;
  readonly clearSourceApplicationId: boolean;
  /** Whether the worker started it, for the option `retention.applicationsMs`. */
  readonly isRetention: boolean;
}

/** `failed`: a step failed ten times, or it can never succeed. `lastError` has the reason. */
export type OperationState = 'running' | 'done' | 'stopped' | 'failed';

/** The progress of an operation. */
export interface OperationCounts {
  readonly done: number;
  /** Items that were left out, for example jobs whose id already exists. */
  readonly skipped: number;
  /** The number of all items. Null if it is unknown until the end. */
  readonly total: number | null;
}

/** A command on many rows that the worker runs in steps. Each step commits on its own. */
export interface Operation {
  readonly id: OperationId;
  readonly plan: OperationPlan;
  /** Who started it. Its steps act as this actor. */
  readonly startedBy: Actor;
  readonly state: OperationState;
  readonly counts: OperationCounts;
  /** The last failed step's message. Null after a step that succeeded. */
  readonly lastError: string | null;
  readonly createdAt: Instant;
  /** When the last step ended. */
  readonly updatedAt: Instant;
  /** Null while it is running. */
  readonly finishedAt: Instant | null;
}
