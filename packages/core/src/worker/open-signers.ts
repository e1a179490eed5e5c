import { type Endpoint, type SealedSigningSecret, signingSecrets } from '../domain/endpoint.js';
import type { KeyId } from '../domain/ids.js';
import { createSigner, type Signer } from '../domain/signature.js';
import type { Instant } from '../domain/time.js';
import { OperatorError } from '../errors.js';
import type { SecretBox } from '../ports/secret-box.js';

/** The endpoint's signing secrets cannot be had: nothing was sent, and nothing may be counted. */
export class SecretsUnreadable extends Error {
  override readonly name = 'SecretsUnreadable';
}

/**
 * What signs with each secret that is valid at that instant, the newest first.
 *
 * @throws SecretsUnreadable
 */
export function openSigners(secretBox: SecretBox, endpoint: Endpoint, at: Instant): readonly Signer[] {
  const sealed = signingSecrets(endpoint, at);
  if (sealed.length === 0) throw new SecretsUnreadable('The endpoint has no valid signing secret.');
  try {
    return sealed.map((secret) => open(secretBox, secret, endpoint.keyId));
  } catch (cause) {
    if (cause instanceof OperatorError) throw new SecretsUnreadable(cause.message, { cause });
    throw new SecretsUnreadable(
      'A signing secret cannot be opened. Give this process the key that the secrets were sealed with. If it has ' +
        'that key, what is stored was changed: use endpoints.rotateSecret with overlapMs: 0.',
      { cause },
    );
  }
}

/**
 * What signs with a secret, by the object that an endpoint carries the secret in, gone with it: opening one
 * costs more than signing with it, and an endpoint is read once for many attempts.
 */
const opened = new WeakMap<SealedSigningSecret, { readonly by: SecretBox; readonly sign: Signer }>();

function open(secretBox: SecretBox, sealed: SealedSigningSecret, keyId: KeyId): Signer {
  const known = opened.get(sealed);
  if (known?.by === secretBox) return known.sign;
  const sign = createSigner(secretBox.open(sealed.sealed, { purpose: 'webhook_signing_secret', keyId }));
  opened.set(sealed, { by: secretBox, sign });
  return sign;
}
