import type { AttemptEnd } from '../../../domain/delivery.js';
import { type Endpoint, endpointAfter, endpointAfterEach } from '../../../domain/endpoint.js';
import { concerns, type EndedAttempt } from '../../settle/settlement.js';

/** An endpoint as it will be stored: as it was when last seen, and what has ended since and is not recorded yet. */
export interface ProjectedEndpoint {
  current(): Endpoint;
  /** An attempt to that URL has ended: a pause must not wait for its record. */
  ended(url: string, end: AttemptEnd): void;
  /** It was seen again. What has ended and is not recorded yet is added to what is stored. */
  seen(stored: Endpoint, unrecorded: readonly EndedAttempt[]): void;
}

/** Begins with an endpoint of which everything is recorded. */
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

/** Then the objects stay the same, and what they were opened to need not be opened again. */
function hasSameSecrets(one: Endpoint, other: Endpoint): boolean {
  if (one.secrets.length !== other.secrets.length) return false;
  return one.secrets.every(({ sealed, expiresAt }, index) => {
    const match = other.secrets[index];
    return sealed === match?.sealed && expiresAt === match.expiresAt;
  });
}
