import type { KeyId } from '../domain/ids.js';
import type { Operation } from '../domain/operation.js';
import type { Instant } from '../domain/time.js';
import type { SandboxStep } from '../features/sandbox/step-rules.js';

/**
 * `failed`: the step changed nothing, and `err` is the reason. `postponed`: the step changed nothing, because other
 * transactions have locked its rows.
 */
export type OperationStepResult =
  | { readonly kind: 'stepped'; readonly operation: Operation }
  | { readonly kind: 'postponed'; readonly operation: Operation }
  | { readonly kind: 'failed'; readonly operation: Operation; readonly err: unknown };

export interface OperationStepper {
  /** Runs one step of an operation that is due. Null if none is due. Workers never share an operation. */
  step(): Promise<OperationStepResult | null>;
}

export interface JobSyncRunner {
  /** Returns how many ms remain until the next run is due or, during another process's run, until its lease may end. */
  dueIn(): Promise<number>;
  /** Reads the source once. Null if another process reads it. If the source fails, rejects, and the run has ended. */
  run(signal: AbortSignal): Promise<Operation | null>;
}

export interface RetentionStarter {
  /** Starts today's operation that erases old applications. Returns false if there is nothing to start. */
  start(): Promise<boolean>;
}

export interface SandboxPlan {
  readonly steps: readonly SandboxStep[];
  readonly through: Instant;
  readonly hasMore: boolean;
}

export interface SandboxStepper {
  prepare(keyId: KeyId): Promise<void>;
  /** Plans the next steps of the key's jobs, and of the applications that changed after `after`. */
  plan(keyId: KeyId, after: Instant): Promise<SandboxPlan>;
  /**
   * Runs the step, once among all workers. If the step is not due yet, returns the instant when it is.
   * Otherwise returns null.
   */
  take(step: SandboxStep): Promise<Instant | null>;
}
