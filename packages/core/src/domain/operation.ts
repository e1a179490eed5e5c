import type { Decision } from './application.js';
import type { Actor, AuditFields, AuditObject } from './audit.js';
import type { CompanyId, KeyId, OperationId, PartnerId } from './ids.js';
import type { MissingJobs, SyncCounts } from './sync-counts.js';
import type { Instant } from './time.js';

/** The deliveries that a resend is limited to: dead letters, and those that wait for their next attempt. */
export type ResendOnly = 'undelivered';

/** Which events are resent. */
export interface ResendSelection {
  /** Inclusive. Null only with `only`: from the start of the log. */
  readonly since: Instant | null;
  /** Exclusive. Null for no end. */
  readonly until: Instant | null;
  /** Null for all deliveries, even delivered ones. */
  readonly only: ResendOnly | null;
}

/** The work of an operation, with its filter. */
export type OperationPlan =
  /** Resends events of a key. */
  | ({ readonly kind: 'resend'; readonly keyId: KeyId } & ResendSelection)
  /** Retries now the deliveries that wait for their next attempt. */
  | { readonly kind: 'retry_now'; readonly keyId: KeyId }
  /** Resends events of a partner, one key at a time. */
  | ({
      readonly kind: 'resend_partner';
      readonly partnerId: PartnerId;
      /** The keys with an endpoint, in their order. */
      readonly keyIds: readonly KeyId[];
    } & ResendSelection)
  /** Publishes the jobs of its input. */
  | { readonly kind: 'publish_jobs' }
  /** Closes the jobs of a company that were open when the operation started. */
  | { readonly kind: 'close_jobs'; readonly companyId: CompanyId }
  /** Keeps jobs in step with a source. */
  | { readonly kind: 'sync_jobs'; readonly missing: MissingJobs }
  /** Erases the candidates of applications that were submitted before the operation started. */
  | {
      readonly kind: 'erase';
      /** Null for all companies. */
      readonly companyId: CompanyId | null;
      /** Only applications whose last change is older. Exclusive. Null for any age. */
      readonly changedBefore: Instant | null;
      readonly clearSourceApplicationId: boolean;
      /** Whether the worker started it, for the option `retention.applicationsMs`. */
      readonly isRetention: boolean;
    }
  /** Runs a command with each object of its inputs. */
  | ({
      readonly kind: 'bulk';
      readonly act: BulkAct;
      /** Null if the act is no decision. */
      readonly decision: Decision | null;
      /** What selected the objects, and how they are changed, without personal data. */
      readonly filter: AuditFields;
      /** The keys to whose partners the operation belongs. Null if it belongs to the host. */
      readonly keyIds: readonly KeyId[] | null;
    } & ResendSelection);

/** A command that a bulk operation runs with each object. */
export type BulkAct =
  | 'applications.decide'
  | 'access.grant'
  | 'access.revoke'
  | 'endpoints.pause'
  | 'endpoints.resume'
  | 'deliveries.resend';

/** Sends deliveries of a key. */
export type SendPlan = Extract<OperationPlan, { readonly kind: 'resend' | 'retry_now' }>;

/** Sends deliveries of a partner. */
export type PartnerSendPlan = Extract<OperationPlan, { readonly kind: 'resend_partner' }>;

/** Does the same with many objects. */
export type BulkPlan = Extract<OperationPlan, { readonly kind: 'bulk' }>;

/** Erases candidates. */
export type ErasePlan = Extract<OperationPlan, { readonly kind: 'erase' }>;

/**
 * `running`; `done`, all steps have ended; `held`, a sync has not closed missing jobs because there were too many;
 * `stopped`, somebody stopped it; `failed`, see `lastError`. A failed operation does not go on: a step failed ten
 * times, or it can never succeed. What its steps did stays.
 */
export type OperationState = 'running' | 'done' | 'held' | 'stopped' | 'failed';

/** An object that a bulk operation could not change. */
export interface OperationFailure {
  readonly object: AuditObject;
  /** The code of the command's error, such as `ILLEGAL_MOVE`. */
  readonly code: string;
  readonly message: string;
}

/** How many objects are named of those that an operation could not change. */
export const MOST_FAILURES_NAMED = 50;

/** The progress of an operation. */
export type OperationCounts = Operation['counts'];

/** A command on many rows. Each step commits on its own, in the worker or, for a sync of jobs, in its caller. */
export interface Operation {
  readonly id: OperationId;
  readonly plan: OperationPlan;
  /** The actor that started the operation. The steps act in its name. */
  readonly startedBy: Actor;
  readonly state: OperationState;
  readonly counts: {
    /** How many items the steps have processed so far. */
    readonly done: number;
    /** Items that were left out, for example jobs whose id already exists. */
    readonly skipped: number;
    /** The number of all items; null if it is unknown until the end. */
    readonly total: number | null;
  };
  /** The objects that a bulk operation could not change, at most the first 50 of them; null for other operations. */
  readonly failed: { readonly count: number; readonly first: readonly OperationFailure[] } | null;
  /** The results of a sync of jobs; null for other operations. */
  readonly sync: SyncCounts | null;
  /** The last failed step's message, or why a sync was held; null after a step that succeeded. */
  readonly lastError: string | null;
  readonly createdAt: Instant;
  /** When the last step ended. */
  readonly updatedAt: Instant;
  /** When it ended; null while it is running. */
  readonly finishedAt: Instant | null;
}
