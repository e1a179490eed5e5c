import { type Endpoint, FRESH_HEALTH, type SealedSigningSecret } from '../domain/endpoint.js';
import type { KeyId } from '../domain/ids.js';
import { createSigningSecret, SIGNING_SECRET_BYTES } from '../domain/signature.js';
import type { SecretContext } from '../ports/secret-box.js';
import type { Scope } from './scope.js';

export function newSigningSecret(
  { runtime, secretBox }: Scope,
  keyId: KeyId,
): { readonly signingSecret: string; readonly sealed: SealedSigningSecret } {
  const signingSecret = createSigningSecret(runtime.random.bytes(SIGNING_SECRET_BYTES));
  const context: SecretContext = { purpose: 'webhook_signing_secret', keyId };
  return { signingSecret, sealed: { sealed: secretBox.seal(signingSecret, context), expiresAt: null } };
}

export function newEndpoint(
  scope: Scope,
  { keyId, url, createdAt }: Pick<Endpoint, 'keyId' | 'url' | 'createdAt'>,
): { readonly endpoint: Endpoint; readonly signingSecret: string } {
  const { signingSecret, sealed } = newSigningSecret(scope, keyId);
  const endpoint: Endpoint = {
    keyId,
    url,
    state: { kind: 'active' },
    health: FRESH_HEALTH,
    resumedAt: null,
    secrets: [sealed],
    createdAt,
  };
  return { endpoint, signingSecret };
}
