import { type Endpoint, restorableUrl, type StoredEndpoint } from '../../domain/endpoint.js';
import { hashBinding } from '../../domain/page.js';
import type { Instant } from '../../domain/time.js';

export function signingSecretIdOf({ secrets: [current] }: StoredEndpoint): string {
  return current?.id ?? hashBinding([current?.sealed ?? null]);
}

/** Returns the endpoint without its secrets. */
export function viewEndpoint(endpoint: StoredEndpoint, now: Instant): Endpoint {
  const { keyId, url, state, health, createdAt, resumedAt } = endpoint;
  const replacedUrl = restorableUrl(endpoint, now);
  const signingSecretId = signingSecretIdOf(endpoint);
  return { keyId, url, state, health, createdAt, resumedAt, replacedUrl, signingSecretId };
}
