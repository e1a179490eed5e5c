import type { KeyId } from '../domain/ids.js';
import type { SandboxStep } from '../domain/sandbox-step.js';
import type { Instant } from '../domain/time.js';

/** What there is to do in a key's sandbox, as far as a stretch of its feed tells. */
export interface SandboxPlan {
  readonly steps: readonly SandboxStep[];
  /** How far the feed was read. */
  readonly through: Instant;
  readonly hasMore: boolean;
}

/** What happens by itself in the sandboxes of keys: the commands that a host would use, when they are due. */
export interface SandboxStepper {
  /** Gives a key what it lacks of its own companies and jobs. */
  prepare(keyId: KeyId): Promise<void>;
  /** What is to happen next with the applications that changed after that instant, and with the key's jobs. */
  plan(keyId: KeyId, after: Instant): Promise<SandboxPlan>;
  /**
   * Does it, if it is still to be done and due now: of several workers one does, the others find it done. When it is
   * due if it is not yet; else null.
   */
  take(step: SandboxStep): Promise<Instant | null>;
}
