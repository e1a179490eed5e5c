import type { AuditFields } from '../../domain/audit.js';
import { FRESH_HEALTH, type SealedSigningSecret, type StoredEndpoint } from '../../domain/endpoint.js';
import { originOf } from '../../domain/failing-endpoint.js';
import type { KeyId, PartnerId } from '../../domain/ids.js';
import {
  createSecret,
  describeSecret,
  type Environment,
  type PartnerKey,
  SECRET_RANDOM_BYTES,
} from '../../domain/partner-key.js';
import { createSigningSecret, SIGNING_SECRET_BYTES } from '../../domain/signature.js';
import type { Instant } from '../../domain/time.js';
import { OperatorError } from '../../errors.js';
import { assertAllowedUrl, storedUrl } from '../../operator/command/fields.js';
import { type OperatorSettings, recordAct, type Scope } from '../../operator/scope.js';
import type { SecretContext } from '../../ports/host-services.js';
import { lockEnabledPartner } from './partner-changes.js';

/** A signing secret that no row has yet. */
export interface NewSigningSecret {
  readonly keyId: KeyId;
  readonly signingSecret: string;
  readonly sealed: string;
}

/** Call it before the transaction: a key service may take seconds. */
export async function newSigningSecret(
  { runtime, secretBox }: Pick<Scope, 'runtime' | 'secretBox'>,
  keyId: KeyId,
): Promise<NewSigningSecret> {
  const signingSecret = createSigningSecret(runtime.random.bytes(SIGNING_SECRET_BYTES));
  const context: SecretContext = { purpose: 'webhook_signing_secret', keyId };
  return { keyId, signingSecret, sealed: await secretBox.seal(signingSecret, context) };
}

export function currentSecret({ sealed }: NewSigningSecret, createdAt: Instant): SealedSigningSecret {
  return { sealed, createdAt, expiresAt: null };
}

export function newEndpoint(made: NewSigningSecret, url: string, createdAt: Instant): StoredEndpoint {
  return {
    keyId: made.keyId,
    url,
    state: { kind: 'active' },
    health: FRESH_HEALTH,
    resumedAt: null,
    replacedUrl: null,
    secrets: [currentSecret(made, createdAt)],
    createdAt,
  };
}

/** A key to issue. */
export interface NewKey {
  readonly partnerId: PartnerId;
  readonly environment: Environment;
  /** The URL of its webhook endpoint, which is created with it; default: none. */
  readonly endpointUrl?: string | undefined;
  /**
   * Issues a production key although the partner lacks items of `goLive.required`; without it, `issue` then throws
   * `NOT_READY`. The audit records the reason: 1 to 500 characters.
   */
  readonly override?: { readonly reason: string } | undefined;
}

/** An issued key. Both secrets are shown only here. */
export interface IssuedKey {
  readonly key: PartnerKey;
  /** The API key in clear, only here. */
  readonly secret: string;
  /** The webhook endpoint with its signing secret in clear, only here; null without an `endpointUrl`. */
  readonly endpoint: { readonly url: string; readonly signingSecret: string } | null;
}

/** A database takes the name of the process that adds its first endpoint. */
export async function nameDatabase({ tx, deployment }: Scope): Promise<void> {
  if (deployment != null) await tx.deployment.adopt(deployment);
}

/** Returns the secret for the endpoint of a new key, and the id of the key. Null without an endpoint. */
export async function secretForNewKey(
  settings: OperatorSettings,
  endpointUrl: string | undefined,
): Promise<NewSigningSecret | null> {
  return endpointUrl === undefined ? null : newSigningSecret(settings, settings.runtime.ids.next('key'));
}

/** @param made - is there if the key gets an endpoint. */
export async function issueKey(
  scope: Scope,
  { partnerId, environment, endpointUrl, override }: NewKey,
  made: NewSigningSecret | null,
): Promise<IssuedKey> {
  if (endpointUrl !== undefined) assertAllowedUrl(endpointUrl, 'endpointUrl', scope.urlPolicy);
  await lockEnabledPartner(scope, partnerId);
  let recorded: AuditFields = {};
  for (const { keyIssuing } of scope.hooks) {
    recorded = { ...recorded, ...(await keyIssuing?.(scope, { partnerId, environment, override })) };
  }
  const id = made?.keyId ?? scope.runtime.ids.next('key');
  const key = await addKey(scope, { id, partnerId, environment });
  const secret = await addSecret(scope, key);
  const endpoint =
    endpointUrl === undefined || made === null ? null : await addEndpoint(scope, made, endpointUrl);
  for (const { keyIssued } of scope.hooks) await keyIssued?.(scope, key);
  recordAct(scope, {
    objects: [
      { kind: 'key', id: key.id },
      { kind: 'partner', id: partnerId },
    ],
    keyId: key.id,
    after: {
      environment,
      endpoint: endpoint && originOf(endpoint.url),
      // An omitted field is not recorded.
      override: override?.reason,
      ...recorded,
    },
  });
  return { key, secret, endpoint };
}

async function addKey(
  { tx, now, recordsEvents }: Scope,
  owner: Pick<PartnerKey, 'id' | 'partnerId' | 'environment'>,
): Promise<PartnerKey> {
  const key = { ...owner, createdAt: await now(), loweredLimits: null };
  if ((await tx.keys.add(key, { recordsEvents })) === 'added') return key;
  throw new OperatorError(
    'KEY_EXISTS',
    `Partner ${owner.partnerId} already has a ${owner.environment} key. Replace its secret with keys.rotate.`,
  );
}

export async function addSecret({ tx, runtime, now }: Scope, key: PartnerKey): Promise<string> {
  const secret = createSecret(key.environment, runtime.random.bytes(SECRET_RANDOM_BYTES));
  await tx.keys.addSecret(describeSecret(key.id, key.environment, secret, await now()));
  return secret;
}

async function addEndpoint(
  scope: Scope,
  made: NewSigningSecret,
  url: string,
): Promise<IssuedKey['endpoint']> {
  const createdAt = await scope.now();
  await nameDatabase(scope);
  const endpoint = newEndpoint(made, storedUrl(url), createdAt);
  await scope.tx.endpoints.save(endpoint);
  return { url: endpoint.url, signingSecret: made.signingSecret };
}
