import type { Instant } from '../domain/time.js';

/** A secret that was replaced: a rotation shortens what it has left, it never lengthens it. */
export function endBy<Secret extends { readonly expiresAt: Instant | null }>(
  secret: Secret,
  at: Instant,
): Secret {
  return { ...secret, expiresAt: Math.min(secret.expiresAt ?? at, at) };
}
