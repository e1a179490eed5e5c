import type { KeyId, PartnerId } from '../../domain/ids.js';
import { DEFAULT_OVERLAP_MS } from '../../domain/partner-key.js';
import type { Instant } from '../../domain/time.js';
import { rotateSigningSecret } from '../../groups/deliveries/change-endpoint.js';
import { type IssuedKey, newSigningSecret } from '../../groups/partners/issue-key.js';
import { assertCurrent, currentSecretOf, rotateSecret } from '../../groups/partners/key-secrets.js';
import { partnerNotFound } from '../../groups/partners/partner-changes.js';
import type { CommandContext } from '../../operator/command/definition.js';
import { recordAct, type Scope, withinAct } from '../../operator/scope.js';
import type { Repositories } from '../../ports/storage.js';

/** A rotation of all secrets of a partner. */
export interface PartnerRotation {
  readonly id: PartnerId;
  /** How long the old secrets continue to work, in milliseconds, from 0 to 7 days; default: 24 hours. */
  readonly overlapMs?: number | undefined;
  /**
   * The `ifCurrent` of an earlier rotation, or the last four characters of the current secret of each key, in the order
   * of `keys.list` and separated by commas; default: no check. Pass it for a rotation that must not happen twice.
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
  rotation: PartnerRotation,
): Promise<RotatedSecrets> {
  const made = new Map(
    await Promise.all(
      (await read.keys.list(rotation.id)).map(
        async ({ id }) => [id, await newSigningSecret(settings, id)] as const,
      ),
    ),
  );
  return commit(async (scope) => {
    const { tx } = scope;
    const { id, overlapMs = DEFAULT_OVERLAP_MS, ifCurrent } = rotation;
    const partner = await tx.partners.findForUpdate(id);
    if (partner === null) throw partnerNotFound(id);
    const found = await tx.keys.list(id);
    assertCurrent(
      ifCurrent,
      await currentSecretsOf(
        tx,
        found.map((key) => key.id),
      ),
      `A secret of partner ${id}`,
      'keys.list',
    );
    const keys: IssuedKey[] = [];
    const inAct = withinAct(scope);
    for (const key of found) {
      const keyId = key.id;
      const { secret } = await rotateSecret(inAct, { id: keyId, overlapMs });
      const url = (await tx.endpoints.find(keyId))?.url;
      if (url === undefined) keys.push({ key, secret, endpoint: null });
      else {
        const sealed = made.get(keyId) ?? (await newSigningSecret(scope, keyId));
        const rotated = await rotateSigningSecret(inAct, { keyId, overlapMs }, sealed);
        keys.push({ key, secret, endpoint: { url, ...rotated } });
      }
    }
    const oldSecretsExpireAt = (await scope.now()) + overlapMs;
    record(scope, id, keys, oldSecretsExpireAt);
    return { keys, oldSecretsExpireAt };
  });
}

async function currentSecretsOf({ keys }: Repositories, keyIds: readonly KeyId[]): Promise<string> {
  const secrets = await keys.listSecretsEach(keyIds);
  return secrets.map((each) => currentSecretOf(each)?.lastFour ?? '').join(',');
}

function record(scope: Scope, id: PartnerId, keys: readonly IssuedKey[], oldSecretsExpireAt: Instant): void {
  if (keys.length === 0) return;
  recordAct(scope, {
    objects: [
      { kind: 'partner', id },
      ...keys.map(({ key }) => ({ kind: 'key', id: key.id }) as const),
      ...keys.flatMap(({ key, endpoint }) =>
        endpoint === null ? [] : [{ kind: 'endpoint', id: key.id } as const],
      ),
    ],
    count: keys.length,
    after: { oldSecretsExpireAt },
  });
}
