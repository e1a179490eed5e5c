import type { KeyId } from '../../domain/ids.js';
import type { Instant } from '../../domain/time.js';
import type { SandboxStep } from './step-rules.js';

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
