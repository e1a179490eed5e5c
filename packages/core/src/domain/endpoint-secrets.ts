import type { SealedSigningSecret, StoredEndpoint } from './endpoint.js';
import type { Instant } from './time.js';

/** Returns the endpoint. Equal secrets become the objects of `known`, because signers are cached by secret object. */
export function withKnownSecrets(endpoint: StoredEndpoint, known: StoredEndpoint): StoredEndpoint {
  const { secrets } = known;
  if (endpoint.secrets.length !== secrets.length) return endpoint;
  const areEqual = endpoint.secrets.every(({ sealed, expiresAt }, index) => {
    const match = secrets[index];
    return sealed === match?.sealed && expiresAt === match.expiresAt;
  });
  return areEqual ? { ...endpoint, secrets } : endpoint;
}

/** The current one first. */
export function signingSecrets(endpoint: StoredEndpoint, now: Instant): readonly SealedSigningSecret[] {
  return endpoint.secrets.filter((secret) => secret.expiresAt === null || now < secret.expiresAt);
}
