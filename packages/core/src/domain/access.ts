import type { CompanyId, KeyId } from './ids.js';
import type { Environment } from './partner-key.js';
import { DAY_MS, type Instant } from './time.js';

/** A company that publishes jobs. Only keys of the same environment can see it. */
export interface Company {
  readonly id: CompanyId;
  readonly name: string;
  readonly environment: Environment;
  readonly createdAt: Instant;
}

/** A key's access to a company. The record remains after a revocation. Spec: Authentication, 3. */
export interface Access {
  readonly keyId: KeyId;
  readonly companyId: CompanyId;
  readonly grantedAt: Instant;
  readonly revokedAt: Instant | null;
  readonly bootstrapUntil: Instant | null;
}

/** In milliseconds. Spec: Limits, rule 2. */
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
