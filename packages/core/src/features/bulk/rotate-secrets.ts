import type { KeyId, PartnerId } from '../../domain/ids.js';
import { DEFAULT_OVERLAP_MS, type Environment } from '../../domain/partner-key.js';
import type { Instant } from '../../domain/time.js';
import { rotateSigningSecret } from '../../groups/deliveries/change-endpoint.js';
import { newSigningSecret } from '../../groups/partners/issue-key.js';
import { assertCurrent, currentSecretOf, rotateSecret } from '../../groups/partners/key-secrets.js';
import { partnerNotFound } from '../../groups/partners/partner-changes.js';
import type { CommandContext } from '../../operator/command/definition.js';
import { labelKey } from '../../operator/names.js';
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

/** The new secrets of a key, in clear, only here. */
export interface RotatedKeySecrets {
  readonly keyId: KeyId;
  /** The partner's name with the environment of the key, such as `Acme ATS (production)`. */
  readonly label: string;
  readonly environment: Environment;
  /** The new API key in clear. */
  readonly secret: string;
  /** The new signing secret of the endpoint in clear; null without an endpoint. */
  readonly signingSecret: string | null;
}

/** The result of a rotation of all secrets of a partner. */
export interface RotatedSecrets {
  /** Production first. */
  readonly keys: readonly RotatedKeySecrets[];
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
    assertCurrent(ifCurrent, await currentSecretsOf(tx, found.map((key) => key.id)), `A secret of partner ${id}`, 'keys.list');
    const keys: RotatedKeySecrets[] = [];
    const inAct = withinAct(scope);
    for (const { id: keyId, environment } of found) {
      const { secret } = await rotateSecret(inAct, { id: keyId, overlapMs });
      const sealed = made.get(keyId) ?? (await newSigningSecret(scope, keyId));
      const hasEndpoint = (await tx.endpoints.find(keyId)) !== null;
      const signingSecret = hasEndpoint
        ? (await rotateSigningSecret(inAct, { keyId, overlapMs }, sealed)).signingSecret
        : null;
      keys.push({ keyId, label: labelKey(partner.name, environment), environment, secret, signingSecret });
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

function record(
  scope: Scope,
  id: PartnerId,
  keys: readonly RotatedKeySecrets[],
  oldSecretsExpireAt: Instant,
): void {
  if (keys.length === 0) return;
  recordAct(scope, {
    objects: [
      { kind: 'partner', id },
      ...keys.map(({ keyId }) => ({ kind: 'key', id: keyId }) as const),
      ...keys.flatMap(({ keyId, signingSecret }) =>
        signingSecret === null ? [] : [{ kind: 'endpoint', id: keyId } as const],
      ),
    ],
    count: keys.length,
    after: { oldSecretsExpireAt },
  });
}
