import type { CompanyId, KeyId } from './ids.js';
import type { Job } from './job.js';
import type { Environment } from './partner-key.js';
import { DAY_MS, type Instant } from './time.js';

/** A company that publishes jobs. Only keys of the same environment can see it. */
export interface Company {
  readonly id: CompanyId;
  readonly name: string;
  readonly environment: Environment;
  readonly createdAt: Instant;
}

/** A key's access to a company. The record remains after a revocation. Contract: 4.4. */
export interface Access {
  readonly keyId: KeyId;
  readonly companyId: CompanyId;
  /** When access was granted, or granted again. */
  readonly grantedAt: Instant;
  /** When access was revoked; null while the key has access. */
  readonly revokedAt: Instant | null;
  /**
   * Until when the submission limit is five times as high; null if it never was, or since access was revoked. A past
   * instant means that it has ended.
   */
  readonly bootstrapUntil: Instant | null;
}

/** In milliseconds. Contract: 8.8. */
export const BOOTSTRAP_MS = DAY_MS;

/** Returns whether access is active. */
export function isAccessActive(access: Access | null): boolean {
  return access !== null && access.revokedAt === null;
}

/**
 * Returns whether bootstrap mode is on. Each request compares the times, so the end of the mode needs no
 * timer.
 */
export function isBootstrapping(access: Access | null, now: Instant): boolean {
  return access !== null && access.bootstrapUntil !== null && now < access.bootstrapUntil;
}

/** Returns the access after a grant. */
export function grantAccess(
  previous: Access | null,
  keyId: KeyId,
  companyId: CompanyId,
  now: Instant,
): Access {
  if (previous === null) return { keyId, companyId, grantedAt: now, revokedAt: null, bootstrapUntil: null };
  if (previous.revokedAt === null) return previous;
  return { ...previous, grantedAt: now, revokedAt: null, bootstrapUntil: null };
}

/** Revoking again changes nothing. */
export function revokeAccess(access: Access, now: Instant): Access {
  return access.revokedAt === null ? { ...access, revokedAt: now, bootstrapUntil: null } : access;
}

/** Returns the access with bootstrap mode on for `BOOTSTRAP_MS`. */
export function startBootstrap(access: Access, now: Instant): Access {
  return { ...access, bootstrapUntil: now + BOOTSTRAP_MS };
}

/** Contract: 10.6. */
export type ClosedReason = 'closed_by_customer' | 'access_revoked' | 'internal_sourcing_only';

export interface VisibilityFacts {
  readonly hasAccess: boolean;
  /** Whether the key last saw the job at another company. */
  readonly hasMoved?: boolean;
  readonly job: Pick<Job, 'state' | 'internalOnly'>;
}

export type VisibilityChange =
  | { readonly kind: 'opened' }
  | { readonly kind: 'closed'; readonly reason: ClosedReason }
  /** The change gets a stamp, but partners receive no event. */
  | { readonly kind: 'updated' }
  | { readonly kind: 'none' };

/** `opened` and `closed` always alternate. Contract: 3.7 to 3.9. */
export function decideVisibility(wasVisible: boolean, facts: VisibilityFacts): VisibilityChange {
  const reason = findObstacle(facts);
  if (reason === null) return { kind: wasVisible ? 'updated' : 'opened' };
  return wasVisible ? { kind: 'closed', reason } : { kind: 'none' };
}

export function findObstacle({ hasAccess, hasMoved = false, job }: VisibilityFacts): ClosedReason | null {
  // The company that the key knows has not revoked its access.
  if (!hasAccess) return hasMoved ? 'closed_by_customer' : 'access_revoked';
  if (job.state !== 'open') return 'closed_by_customer';
  return job.internalOnly ? 'internal_sourcing_only' : null;
}
