import type { KeySecret, SecretEnd } from '../domain/partner-key.js';
import type { Logger, Telemetry } from '../ports/telemetry.js';

/** Called once for each request that carries a secret which no longer works. */
export type EndedSecretObserver = (secret: KeySecret, end: SecretEnd) => void;

/** One line a minute for each secret: a client that goes on with an old one must not fill the log. */
const WARN_EVERY_SECONDS = 60;

/** Counts the uses of revoked and expired secrets, and warns of them. Neither tells the secret. */
export function observeEndedSecrets(telemetry: Telemetry, logger: Logger): EndedSecretObserver {
  const count = telemetry.counter({
    name: 'partner_hiring.secret.ended_uses',
    unit: '{request}',
    description: 'Requests that carried a secret which was revoked or has expired.',
  });
  // Only secrets that the operator once issued get here, so there are few.
  const warnedAt = new Map<string, number>();

  return ({ hash, keyId, lastFour, expiresAt, revokedAt }, end) => {
    count(1, { 'partner_hiring.secret.end': end });
    const now = telemetry.seconds();
    if (now - (warnedAt.get(hash) ?? Number.NEGATIVE_INFINITY) < WARN_EVERY_SECONDS) return;
    warnedAt.set(hash, now);
    const endedAt = new Date((end === 'revoked' ? revokedAt : expiresAt) ?? 0).toISOString();
    logger.warn({ keyId, lastFour, end, endedAt }, MESSAGES[end]);
  };
}

const MESSAGES: Readonly<Record<SecretEnd, string>> = {
  revoked: 'A request carried a revoked secret. Find out who still has it.',
  expired: 'A request carried a secret that has expired. The partner must change to its new one.',
};
