import type { Job } from './job.js';

/** Why a job stopped being visible to a key. Spec: Events, `reason`. */
export type ClosedReason = 'closed_by_customer' | 'access_revoked' | 'internal_sourcing_only';

/** What stands between a key and a job; the first that applies is the reason. */
export interface VisibilityFacts {
  /** Whether the company grants the key access now. */
  readonly hasAccess: boolean;
  readonly job: Pick<Job, 'state' | 'internalOnly'>;
}

/** Whether a key sees a job: its company grants access, it is open, and not internal only. */
export function isVisible(facts: VisibilityFacts): boolean {
  return findObstacle(facts) === null;
}

/** A change of a job as one key sees it. */
export type VisibilityChange =
  | { readonly kind: 'opened' }
  | { readonly kind: 'closed'; readonly reason: ClosedReason }
  /** It stays visible and something about it changed: it is new to the key's feed, without an event. */
  | { readonly kind: 'updated' }
  | { readonly kind: 'none' };

/**
 * What a change means to one key, given whether the key saw the job before.
 *
 * Because it compares with what the key saw last, `opened` and `closed` alternate by construction.
 * Spec: States and transitions, job visibility to a key.
 */
export function decideVisibility(wasVisible: boolean, facts: VisibilityFacts): VisibilityChange {
  const reason = findObstacle(facts);
  if (reason === null) return { kind: wasVisible ? 'updated' : 'opened' };
  return wasVisible ? { kind: 'closed', reason } : { kind: 'none' };
}

/** What keeps a key from seeing a job; null if nothing does. */
export function findObstacle({ hasAccess, job }: VisibilityFacts): ClosedReason | null {
  if (!hasAccess) return 'access_revoked';
  if (job.state !== 'open') return 'closed_by_customer';
  return job.internalOnly ? 'internal_sourcing_only' : null;
}
