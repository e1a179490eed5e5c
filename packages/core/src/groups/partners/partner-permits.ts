import type { KeyId, PartnerId } from '../../domain/ids.js';
import {
  foundSecretEnd,
  hashSecret,
  isSecretUsable,
  type KeySecret,
  type PartnerKey,
} from '../../domain/partner-key.js';
import type { Instant } from '../../domain/time.js';
import { OperatorError } from '../../errors.js';
import { lockKey } from '../../operator/find-or-throw.js';
import type { Permit } from '../../operator/scope.js';

/**
 * Permits acts while a secret works. Locks the partner and the key, so that neither a revocation nor a rotation comes
 * between the check and the commit.
 */
export function secretPermit({ id: keyId, partnerId }: PartnerKey, secretHash: string): Permit {
  return async (scope) => {
    const { tx } = scope;
    await tx.partners.findForUpdate(partnerId);
    await lockKey(scope, keyId);
    const [found] = await tx.keys.findByHashes([secretHash]);
    if (found == null || foundSecretEnd(found) !== null) throw ended();
  };
}

/** Permits acts while a session in the portal works. A null session is a person whom the host has signed in. */
export function sessionPermit(partnerId: PartnerId, session: string | null): Permit {
  return async (scope) => {
    const partner = await scope.tx.partners.findForUpdate(partnerId);
    if (partner === null || partner.disabledAt !== null) throw ended();
    if (session === null) return;
    const found = await scope.tx.portalPasses.find(hashSecret(session));
    const isSession = found?.kind === 'session' && found.partnerId === partnerId;
    if (!isSession || (await scope.now()) >= found.expiresAt) throw ended();
  };
}

function ended(): OperatorError {
  return new OperatorError(
    'CREDENTIAL_ENDED',
    'The API key, or the session in the portal, has ended meanwhile. Nothing was changed.',
  );
}

/** A thief who rotates again and again must not keep many secrets. One spare secret is left for a rotation in steps. */
export const MOST_SECRETS_OF_PARTNER = 3;

/**
 * Refuses a rotation by a partner if no secret of the key works, because the operator may have ended them all.
 * @throws OperatorError `ILLEGAL_MOVE`
 */
export function assertKeyWorks(keyId: KeyId, secrets: readonly KeySecret[], now: Instant): void {
  if (secrets.some((secret) => isSecretUsable(secret, now))) return;
  throw new OperatorError(
    'ILLEGAL_MOVE',
    `No API key of ${keyId} works, so its partner cannot rotate anything. The operator makes a new one with keys.rotate.`,
  );
}

/**
 * Refuses a rotation by a partner that would leave too many secrets.
 * @param kept - the old secrets that continue to work, described for the partner.
 * @throws OperatorError `TOO_MANY_SECRETS`
 */
export function assertRoomForSecret(kept: readonly string[]): void {
  if (kept.length < MOST_SECRETS_OF_PARTNER) return;
  throw new OperatorError(
    'TOO_MANY_SECRETS',
    `${kept.length} secrets work already: ${kept.join(', ')}. Stop an old one first, or rotate without an overlap, which stops all of them.`,
  );
}
