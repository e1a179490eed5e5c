import type { AuditObject } from '../../domain/audit.js';
import type { PartnerId } from '../../domain/ids.js';
import { DEFAULT_OVERLAP_MS } from '../../domain/partner-key.js';
import type { Instant } from '../../domain/time.js';
import { rotateSigningSecret } from '../../groups/deliveries/change-endpoint.js';
import { type IssuedKey, newSigningSecret } from '../../groups/partners/issue-key.js';
import { assertCurrent, newestSecretOf, rotateSecret } from '../../groups/partners/key-secrets.js';
import { partnerNotFound } from '../../groups/partners/partner-changes.js';
import type { CommandContext } from '../../operator/command/definition.js';
import { lockKey } from '../../operator/find-or-throw.js';
import { recordAct, withinAct } from '../../operator/scope.js';

/** A rotation of all secrets of a partner. */
export interface PartnerRotation {
  readonly partnerId: PartnerId;
  /** How long the old secrets continue to work, in milliseconds, from 0 to 7 days; default: 24 hours. */
  readonly overlapMs?: number | undefined;
  /**
   * The last four characters of the current secret of each key, in the order of `keys.list` and separated by commas;
   * default: no check. Pass it for a rotation that must not happen twice.
   */
  readonly ifCurrent?: string | undefined;
}

/** The result of a rotation of all secrets of a partner. */
export interface RotatedSecrets {
  /** The keys with their new secrets, production first. */
  readonly keys: readonly IssuedKey[];
  /** When the old secrets stop working. */
  readonly oldSecretsExpireAt: Instant;
}

/** Seals before the transaction: a key service may take seconds. */
export async function rotateSecrets(
  { commit, read, settings }: CommandContext,
  { partnerId, overlapMs = DEFAULT_OVERLAP_MS, ifCurrent }: PartnerRotation,
): Promise<RotatedSecrets> {
  const known = await read.keys.list(partnerId);
  const made = await Promise.all(known.map((key) => newSigningSecret(settings, key.id)));
  return commit(async (scope) => {
    const { tx } = scope;
    if ((await tx.partners.findForUpdate(partnerId)) === null) throw partnerNotFound(partnerId);
    const found = await tx.keys.list(partnerId);
    const current: string[] = [];
    for (const key of found) {
      await lockKey(scope, key.id);
      current.push(newestSecretOf(await tx.keys.listSecrets(key.id))?.lastFour ?? '');
    }
    assertCurrent(ifCurrent, current.join(','), `A secret of partner ${partnerId}`, 'keys.list');
    const keys: IssuedKey[] = [];
    const objects: [AuditObject, ...AuditObject[]] = [{ kind: 'partner', id: partnerId }];
    for (const key of found) {
      const { secret } = await rotateSecret(withinAct(scope), { id: key.id, overlapMs });
      objects.push({ kind: 'key', id: key.id });
      const url = (await tx.endpoints.find(key.id))?.url;
      if (url === undefined) keys.push({ key, secret, endpoint: null });
      else {
        const sealed = made.find(({ keyId }) => keyId === key.id) ?? (await newSigningSecret(scope, key.id));
        const rotation = { keyId: key.id, overlapMs };
        const { signingSecret } = await rotateSigningSecret(withinAct(scope), rotation, sealed);
        keys.push({ key, secret, endpoint: { url, signingSecret } });
        objects.push({ kind: 'endpoint', id: key.id });
      }
    }
    const oldSecretsExpireAt = (await scope.now()) + overlapMs;
    const after = { oldSecretsExpireAt };
    if (keys.length > 0) recordAct(scope, { objects, count: keys.length, after });
    return { keys, oldSecretsExpireAt };
  });
}
