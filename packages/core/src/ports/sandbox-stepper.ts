import type { KeyId } from '../domain/ids.js';
import type { SandboxStep } from '../domain/sandbox-step.js';
import type { Instant } from '../domain/time.js';

/** The next steps of a key's sandbox, from one part of its feed. */
export interface SandboxPlan {
  readonly steps: readonly SandboxStep[];
  /** The last instant of the feed that was read. */
  readonly through: Instant;
  readonly hasMore: boolean;
}

/** Runs the host's commands for sandboxes when they are due. */
export interface SandboxStepper {
  prepare(keyId: KeyId): Promise<void>;
  /** Reads the key's jobs, and applications that changed after `after`. */
  plan(keyId: KeyId, after: Instant): Promise<SandboxPlan>;
  /** Runs the step once among all workers. Returns its due instant if it is not due yet, otherwise null. */
  take(step: SandboxStep): Promise<Instant | null>;
}
