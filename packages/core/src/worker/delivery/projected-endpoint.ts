import type { AttemptEnd } from '../../domain/delivery.js';
import { type Endpoint, endpointAfter, endpointAfterEach } from '../../domain/endpoint.js';
import { concerns, type EndedAttempt } from '../settle.js';

/** An endpoint with its unrecorded attempts applied, as it will be stored. */
export interface ProjectedEndpoint {
  current(): Endpoint;
  /** Applies an attempt at once, because it may pause the endpoint. */
  ended(url: string, end: AttemptEnd): void;
  /** Applies the unrecorded attempts to the stored endpoint. */
  seen(stored: Endpoint, unrecorded: readonly EndedAttempt[]): void;
}

/** Projects an endpoint without unrecorded attempts. */
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

/** Equal secrets keep their objects, the keys of the signer cache. */
function hasSameSecrets(one: Endpoint, other: Endpoint): boolean {
  if (one.secrets.length !== other.secrets.length) return false;
  return one.secrets.every(({ sealed, expiresAt }, index) => {
    const match = other.secrets[index];
    return sealed === match?.sealed && expiresAt === match.expiresAt;
  });
}
