import { keyRotatedAlert, keySecretEndingAlert } from '../../domain/alert.js';
import { isPartnerActor } from '../../domain/audit.js';
import type { KeyId } from '../../domain/ids.js';
import { DEFAULT_OVERLAP_MS, expireBy, isSecretUsable, type KeySecret } from '../../domain/partner-key.js';
import type { Instant } from '../../domain/time.js';
import { OperatorError } from '../../errors.js';
import { findKey, lockKey } from '../../operator/find-or-throw.js';
import { alertPartnerAct } from '../../operator/partner-alerts.js';
import { recordAct, type Scope } from '../../operator/scope.js';
import { addSecret } from './issue-key.js';
import { assertKeyWorks, assertRoomForSecret } from './partner-permits.js';

/**
 * Throws `SECRET_REPLACED` unless the secret that the caller expects is the newest one. Lock the key or the endpoint
 * before the call.
 * @param known - the secret that the caller expects. Undefined to skip the check.
 * @param whose - the subject of the message, such as `The secret of key key_1`.
 */
export function assertCurrent(
  known: string | undefined,
  newest: string | undefined,
  whose: string,
  command: string,
): void {
  if (known === undefined || known === newest) return;
  throw new OperatorError(
    'SECRET_REPLACED',
    `${whose} was replaced by another one already. To replace that one too, pass its \`ifCurrent\`, which ${command} shows. Nothing was changed.`,
  );
}

/** A rotation of a key's secret. */
export interface KeyRotation {
  readonly id: KeyId;
  /** How long the old secrets continue to work, in milliseconds, from 0 to 7 days; default: 24 hours. */
  readonly overlapMs?: number | undefined;
  /**
   * The last four characters of the secret that you expect to be the current one, otherwise `rotate` throws; default:
   * no check. If all secrets have ended, those of the newest one. Pass it for a rotation that must not happen twice,
   * such as a form that may be sent again.
   */
  readonly ifCurrent?: string | undefined;
}

/** The result of a rotation. The secret is shown only here. */
export interface RotatedKey {
  /** The new API key in clear, only here. */
  readonly secret: string;
}

/** Selects secrets by their last four characters, which may match several, or selects all. */
export type KeyRevocation =
  | { readonly id: KeyId; readonly secretLastFour: string }
  | { readonly id: KeyId; readonly all: true };

/** The secrets that a revocation ended just now. */
export interface RevokedSecrets {
  /** Those that were revoked just now; empty if all that matched were revoked before. */
  readonly secrets: readonly SecretView[];
  /** False if all that matched were already revoked. */
  readonly changed: boolean;
}

/** A secret without its value. */
export interface SecretView extends Omit<KeySecret, 'hash' | 'keyId'> {
  /** `current`; `replaced`, it works until `expiresAt`; `expired`, its overlap has ended; or `revoked`. */
  readonly state: 'current' | 'replaced' | 'expired' | 'revoked';
}

export async function rotateSecret(scope: Scope, rotation: KeyRotation): Promise<RotatedKey> {
  const { id: keyId, overlapMs = DEFAULT_OVERLAP_MS, ifCurrent } = rotation;
  const key = await lockKey(scope, keyId);
  const now = await scope.now();
  const secrets = await scope.tx.keys.listSecrets(keyId);
  assertCurrent(ifCurrent, newestSecretOf(secrets)?.lastFour, `The secret of key ${keyId}`, 'keys.find');
  const usable = secrets.filter((secret) => isSecretUsable(secret, now));
  const replaced = usable.map((secret) => expireBy(secret, now + overlapMs));
  if (isPartnerActor(scope.actor)) {
    assertKeyWorks(keyId, secrets, now);
    const kept = replaced.filter((secret) => isSecretUsable(secret, now));
    assertRoomForSecret(kept.map(({ lastFour }) => `…${lastFour}`));
  }
  await scope.tx.keys.saveSecrets(replaced);
  await alertOfEndings(scope, usable, { now, endsAt: now + overlapMs });
  const secret = await addSecret(scope, key);
  await alertPartnerAct(scope, (id, door) =>
    keyRotatedAlert(key, { id, at: now, door, lastFour: secret.slice(-4) }),
  );
  recordAct(scope, {
    objects: [{ kind: 'key', id: keyId }],
    keyId,
    after: { oldSecretsExpireAt: now + overlapMs },
  });
  return { secret };
}

/** Has the partner told before its old secrets end. One that ends before then has an alert already. */
async function alertOfEndings(
  { tx, runtime, workIsDue }: Scope,
  secrets: readonly KeySecret[],
  { now, endsAt }: { readonly now: Instant; readonly endsAt: Instant },
): Promise<void> {
  const ending = secrets.filter(
    ({ expiresAt }) => now < endsAt && (expiresAt === null || endsAt < expiresAt),
  );
  const alerts = ending.map((secret) =>
    keySecretEndingAlert(secret, { id: runtime.ids.next('alert'), now, endsAt }),
  );
  if (alerts.length === 0) return;
  await tx.alerts.add(alerts);
  workIsDue();
}

/** @param secrets - newest first. */
export function newestSecretOf(secrets: readonly KeySecret[]): KeySecret | undefined {
  return secrets.find(({ expiresAt, revokedAt }) => expiresAt === null && revokedAt === null) ?? secrets[0];
}

export async function revokeSecrets(
  scope: Scope,
  keyId: KeyId,
  isSelected: (secret: KeySecret) => boolean,
): Promise<RevokedSecrets> {
  const { partnerId } = await findKey(scope, keyId);
  // Nobody signs in to the portal meanwhile. A partner is locked before its keys.
  await scope.tx.partners.findForUpdate(partnerId);
  await lockKey(scope, keyId);
  const secrets = await scope.tx.keys.listSecrets(keyId);
  const selected = secrets.filter(isSelected);
  if (selected.length === 0) {
    const message = `Key ${keyId} has no such secret. keys.list shows the last four characters of each.`;
    throw new OperatorError('SECRET_NOT_FOUND', message);
  }
  const now = await scope.now();
  const revoked = selected
    .filter(({ revokedAt }) => revokedAt === null)
    .map((secret) => ({ ...secret, revokedAt: now }));
  await scope.tx.keys.saveSecrets(revoked);
  if (revoked.length > 0) {
    const rest = secrets.filter((secret) => !selected.includes(secret));
    if (!rest.some((secret) => isSecretUsable(secret, now))) await scope.tx.portalPasses.removeOf(partnerId);
    recordAct(scope, {
      objects: [{ kind: 'key', id: keyId }],
      keyId,
      after: { revokedSecrets: revoked.length },
    });
  }
  return { secrets: revoked.map((secret) => viewSecret(secret, now)), changed: revoked.length > 0 };
}

export function selectorOf(revocation: KeyRevocation): (secret: KeySecret) => boolean {
  if ('all' in revocation && revocation.all === true) return () => true;
  return ({ lastFour }) => 'secretLastFour' in revocation && lastFour === revocation.secretLastFour;
}

export function viewSecret(secret: KeySecret, now: Instant): SecretView {
  const { prefix, lastFour, createdAt, lastUsedAt, expiresAt, revokedAt } = secret;
  return { prefix, lastFour, createdAt, lastUsedAt, expiresAt, revokedAt, state: stateOf(secret, now) };
}

function stateOf({ expiresAt, revokedAt }: KeySecret, now: Instant): SecretView['state'] {
  if (revokedAt !== null) return 'revoked';
  if (expiresAt === null) return 'current';
  return now < expiresAt ? 'replaced' : 'expired';
}
