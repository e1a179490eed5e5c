import type { PartnerApiError, SubmissionPendingError } from '../errors.js';
import type { CreatedApplication } from '../wire.js';

/** A submission that became an application, once. */
export interface Submitted {
  readonly application: CreatedApplication;
  /**
   * How we know. `created`: the service has just accepted it. `replayed`: it had accepted an earlier attempt, and
   * said so again. `found`: the key had expired, and the service named the application that has this
   * `sourceApplicationId`. `known`: the store had it; nothing was sent.
   */
  readonly outcome: 'created' | 'replayed' | 'found' | 'known';
  readonly idempotencyKey: string;
  /** `X-Request-Id` of the answer; null if nothing was sent. */
  readonly requestId: string | null;
}

/** What became of a submission that a former process, or a former outage, had left pending. */
export type Resumed =
  | { readonly kind: 'submitted'; readonly sourceApplicationId: string; readonly submitted: Submitted }
  /** The service refused it, finally. */
  | { readonly kind: 'refused'; readonly sourceApplicationId: string; readonly error: PartnerApiError }
  /** Not settled yet: it stays in the store. */
  | {
      readonly kind: 'pending';
      readonly sourceApplicationId: string;
      readonly error: SubmissionPendingError;
    }
  /** The store cannot read what it holds there: `error` says why. Whose it is, nobody knows. */
  | {
      readonly kind: 'unreadable';
      readonly sourceApplicationId: null;
      readonly where: string;
      readonly error: unknown;
    };
