import type { CompanyId, KeyId } from './ids.js';
import type { Environment } from './partner-key.js';
import { DAY_MS, type Instant } from './time.js';

/** A company that publishes jobs. Only keys of its environment can see it. */
export interface Company {
  readonly id: CompanyId;
  readonly name: string;
  readonly environment: Environment;
  readonly createdAt: Instant;
}

/** The access of a key to a company. The record stays after a revocation. Spec: Authentication, 3. */
export interface Access {
  readonly keyId: KeyId;
  readonly companyId: CompanyId;
  readonly grantedAt: Instant;
  /** Null while access is active. */
  readonly revokedAt: Instant | null;
  /** End of bootstrap mode, or null if it was never enabled. Spec: Limits, rule 2. */
  readonly bootstrapUntil: Instant | null;
}

/** Spec: Limits, rule 2. */
export const BOOTSTRAP_MS = DAY_MS;

export function isAccessActive(access: Access | null): boolean {
  return access !== null && access.revokedAt === null;
}

/** Returns whether bootstrap mode is on. It ends on its own: the instant is compared on each request. */
export function isBootstrapping(access: Access | null, now: Instant): boolean {
  return access !== null && access.bootstrapUntil !== null && now < access.bootstrapUntil;
}

/** Returns the access after a grant. An earlier record is reused. */
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

/** Returns the access after a revocation. Revoking again changes nothing. */
export function revokeAccess(access: Access, now: Instant): Access {
  return access.revokedAt === null ? { ...access, revokedAt: now, bootstrapUntil: null } : access;
}

export function startBootstrap(access: Access, now: Instant): Access {
  return { ...access, bootstrapUntil: now + BOOTSTRAP_MS };
}
