import type { AttemptEnd } from '../../domain/delivery.js';
import { type Endpoint, endpointAfter, endpointAfterEach } from '../../domain/endpoint.js';
import { concerns, type EndedAttempt } from '../settle.js';

export interface ProjectedEndpoint {
  current(): Endpoint;
  /** Applies the end of an attempt. Call it immediately, because the attempt may pause the endpoint. */
  ended(url: string, end: AttemptEnd): void;
  seen(stored: Endpoint, unrecorded: readonly EndedAttempt[]): void;
}

export function projectEndpoint(stored: Endpoint): ProjectedEndpoint {
  let endpoint = stored;
  return {
    current: () => endpoint,
    ended: (url, { outcome, endedAt }) => {
      if (concerns(endpoint, { url, outcome })) endpoint = endpointAfter(endpoint, outcome, endedAt);
    },
    seen: (again, unrecorded) => {
      const { secrets } = endpoint;
      const known = hasSameSecrets(again, endpoint) ? { ...again, secrets } : again;
      endpoint = endpointAfterEach(
        known,
        unrecorded.filter((attempt) => concerns(known, attempt)),
      );
    },
  };
}

/**
 * Returns whether the secrets are equal. Equal secrets keep their objects, because the signer cache uses them
 * as keys.
 */
function hasSameSecrets(one: Endpoint, other: Endpoint): boolean {
  if (one.secrets.length !== other.secrets.length) return false;
  return one.secrets.every(({ sealed, expiresAt }, index) => {
    const match = other.secrets[index];
    return sealed === match?.sealed && expiresAt === match.expiresAt;
  });
}
