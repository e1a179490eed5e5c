import type { KeyId } from '../domain/ids.js';
import type { SandboxStep } from '../domain/sandbox-step.js';
import type { Instant } from '../domain/time.js';

export interface SandboxPlan {
  readonly steps: readonly SandboxStep[];
  readonly through: Instant;
  readonly hasMore: boolean;
}

export interface SandboxStepper {
  prepare(keyId: KeyId): Promise<void>;
  /** Reads the key's jobs, and applications that changed after `after`. */
  plan(keyId: KeyId, after: Instant): Promise<SandboxPlan>;
  /** Runs the step once among all workers. Returns its due instant if it is not due yet, otherwise null. */
  take(step: SandboxStep): Promise<Instant | null>;
}
