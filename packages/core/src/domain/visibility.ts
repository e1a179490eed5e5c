import type { Job } from './job.js';

/** Spec: Events, `reason`. */
export type ClosedReason = 'closed_by_customer' | 'access_revoked' | 'internal_sourcing_only';

export interface VisibilityFacts {
  readonly hasAccess: boolean;
  readonly job: Pick<Job, 'state' | 'internalOnly'>;
}

export function isVisible(facts: VisibilityFacts): boolean {
  return findObstacle(facts) === null;
}

export type VisibilityChange =
  | { readonly kind: 'opened' }
  | { readonly kind: 'closed'; readonly reason: ClosedReason }
  /** The change gets a stamp, but partners receive no event. */
  | { readonly kind: 'updated' }
  | { readonly kind: 'none' };

/** `opened` and `closed` always alternate. Spec: States and transitions, job visibility to a key. */
export function decideVisibility(wasVisible: boolean, facts: VisibilityFacts): VisibilityChange {
  const reason = findObstacle(facts);
  if (reason === null) return { kind: wasVisible ? 'updated' : 'opened' };
  return wasVisible ? { kind: 'closed', reason } : { kind: 'none' };
}

export function findObstacle({ hasAccess, job }: VisibilityFacts): ClosedReason | null {
  if (!hasAccess) return 'access_revoked';
  if (job.state !== 'open') return 'closed_by_customer';
  return job.internalOnly ? 'internal_sourcing_only' : null;
}
