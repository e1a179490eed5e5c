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
  /** Adds the missing sandbox companies and jobs of a key. */
  prepare(keyId: KeyId): Promise<void>;
  /** Plans steps for the key's jobs and for applications that changed after `after`. */
  plan(keyId: KeyId, after: Instant): Promise<SandboxPlan>;
  /**
   * Runs the step if it is still pending and due. Safe to call from several workers: only one runs it. Returns its
   * due instant if it is not due yet, otherwise null.
   */
  take(step: SandboxStep): Promise<Instant | null>;
}
