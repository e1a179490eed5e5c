import type { AttemptEnd } from '../../domain/delivery.js';
import { type Endpoint, endpointAfter, endpointAfterEach } from '../../domain/endpoint.js';
import { concerns, type EndedAttempt } from '../settle.js';

/** An endpoint with its unrecorded attempts applied, as it will be stored. */
export interface ProjectedEndpoint {
  current(): Endpoint;
  /** Applies an attempt before it is recorded, so that a pause takes effect at once. */
  ended(url: string, end: AttemptEnd): void;
  /** Replaces the stored endpoint, and applies the unrecorded attempts again. */
  seen(stored: Endpoint, unrecorded: readonly EndedAttempt[]): void;
}

/** Starts with an endpoint that has no unrecorded attempts. */
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

/** Equal secrets keep their objects, which are the keys of the cache of opened secrets. */
function hasSameSecrets(one: Endpoint, other: Endpoint): boolean {
  if (one.secrets.length !== other.secrets.length) return false;
  return one.secrets.every(({ sealed, expiresAt }, index) => {
    const match = other.secrets[index];
    return sealed === match?.sealed && expiresAt === match.expiresAt;
  });
}
