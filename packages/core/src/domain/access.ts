import type { CompanyId, KeyId } from './ids.js';
import type { Environment } from './partner-key.js';
import { DAY_MS, type Instant } from './time.js';

/** An employer whose jobs are offered. It belongs to one world. */
export interface Company {
  readonly id: CompanyId;
  readonly name: string;
  readonly environment: Environment;
  readonly createdAt: Instant;
}

/** That a company lets a key see its jobs and submit to them, or once did. Spec: Authentication, 3. */
export interface Access {
  readonly keyId: KeyId;
  readonly companyId: CompanyId;
  readonly grantedAt: Instant;
  /** When it was revoked; null while it is active. */
  readonly revokedAt: Instant | null;
  /** When bootstrap mode ends; null if it was never enabled. Spec: Limits, rule 2. */
  readonly bootstrapUntil: Instant | null;
}

/** How long bootstrap mode lasts. Spec: Limits, rule 2. */
export const BOOTSTRAP_MS = DAY_MS;

/** Whether the company grants the key access now. A missing record is no access. */
export function isAccessActive(access: Access | null): boolean {
  return access !== null && access.revokedAt === null;
}

/** Whether bootstrap mode is on. It is read when a request comes, so it ends by itself. */
export function isBootstrapping(access: Access | null, now: Instant): boolean {
  return access !== null && access.bootstrapUntil !== null && now < access.bootstrapUntil;
}

/** Access after a grant: the record is kept over revocations, so that "once had access" stays known. */
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

/** Access after a revocation; revoking twice changes nothing. */
export function revokeAccess(access: Access, now: Instant): Access {
  return access.revokedAt === null ? { ...access, revokedAt: now, bootstrapUntil: null } : access;
}

/** Access with bootstrap mode on for 24 hours from now. */
export function startBootstrap(access: Access, now: Instant): Access {
  return { ...access, bootstrapUntil: now + BOOTSTRAP_MS };
}
