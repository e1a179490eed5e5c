import { DEFAULT_OVERLAP_MS, isSecretUsable, type KeySecret } from '../../domain/partner-key.js';
import { OperatorError } from '../../errors.js';
import { endBy } from '../end-by.js';
import { inspect, inspectOverlap } from '../input/inspection.js';
import type { KeyRevocation, KeyRotation, RevokedSecrets, RotatedKey } from '../keys.js';
import type { Scope } from '../scope.js';
import { lockKey } from './find-key.js';
import { addSecret } from './issue-key.js';
import { viewSecret } from './key-view.js';

/** Replaces a key's secret. Throws what `KeyCommands` says. */
export async function rotateSecret(scope: Scope, rotation: KeyRotation): Promise<RotatedKey> {
  const { keyId, overlapMs = DEFAULT_OVERLAP_MS } = rotation;
  const inspection = inspect('keys.rotate');
  inspectOverlap(inspection, overlapMs);
  inspection.end();
  const key = await lockKey(scope, keyId);
  const now = await scope.now();
  const usable = (await scope.tx.keys.listSecrets(keyId)).filter((secret) => isSecretUsable(secret, now));
  await scope.tx.keys.saveSecrets(usable.map((secret) => endBy(secret, now + overlapMs)));
  return { secret: await addSecret(scope, key) };
}

/** Ends secrets of a key at once. Throws what `KeyCommands` says. */
export async function revokeSecrets(scope: Scope, revocation: KeyRevocation): Promise<RevokedSecrets> {
  const isNamed = selectorOf(revocation);
  await lockKey(scope, revocation.keyId);
  const named = (await scope.tx.keys.listSecrets(revocation.keyId)).filter(isNamed);
  if (named.length === 0) {
    const message = `${revocation.keyId} has no such secret. keys.list shows the last four characters of each.`;
    throw new OperatorError('SECRET_NOT_FOUND', message);
  }
  const now = await scope.now();
  const revoked = named
    .filter(({ revokedAt }) => revokedAt === null)
    .map((secret) => ({ ...secret, revokedAt: now }));
  await scope.tx.keys.saveSecrets(revoked);
  return { revoked: revoked.map((secret) => viewSecret(secret, now)) };
}

function selectorOf(revocation: KeyRevocation): (secret: KeySecret) => boolean {
  if ('all' in revocation && revocation.all === true) return () => true;
  if ('hash' in revocation && typeof revocation.hash === 'string') {
    const hash = revocation.hash.toLowerCase();
    return (secret) => secret.hash === hash;
  }
  if ('secretLastFour' in revocation && typeof revocation.secretLastFour === 'string') {
    return (secret) => secret.lastFour === revocation.secretLastFour;
  }
  throw new OperatorError('INVALID_INPUT', 'keys.revoke: name secretLastFour, hash, or all: true.');
}
