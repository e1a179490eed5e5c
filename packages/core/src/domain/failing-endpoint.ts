import type { EndpointFailure } from './delivery.js';
import {
  NEAR_PAUSE_FAILURES,
  NEAR_PAUSE_MS,
  nextWarningAt,
  type StoredEndpoint,
  WARN_AFTER_MS,
} from './endpoint.js';
import type { KeyId, PartnerId } from './ids.js';
import type { Environment } from './partner-key.js';
import type { Instant } from './time.js';
import { parseUrl } from './web-link.js';

/**
 * Why the host is warned of a failing endpoint: `one_hour`, it has failed for an hour; `near_pause`, after 45 failures
 * in a row or 21.6 hours, a tenth before it is paused. Each reason warns once until the next success.
 */
export type FailingReason = 'one_hour' | 'near_pause';

/** The partner of a key, by name. */
export interface PartnerOfKey {
  readonly partnerId: PartnerId;
  readonly partnerName: string;
  readonly environment: Environment;
}

/** The facts in a warning about a failing endpoint. */
export interface FailingFacts {
  readonly keyId: KeyId;
  /** The origin of the endpoint's URL. The path is left out, because it may contain a secret. */
  readonly origin: string;
  readonly failingSince: Instant;
  /** How many attempts in a row failed since then. */
  readonly attempts: number;
  /** The last status or error; null if an older release recorded it. */
  readonly lastFailure: EndpointFailure | null;
}

/** Returns the origin of an endpoint's URL. */
export function originOf(url: string): string {
  return parseUrl(url)?.origin ?? '';
}

/** A new URL with the same origin, in words. Its path and its query are left out, because they may contain a secret. */
export const OTHER_PATH = 'another path of the same host';

/** Returns null if the endpoint is not failing. */
export function failingFacts({ keyId, url, health }: StoredEndpoint): FailingFacts | null {
  const { firstFailureAt: failingSince, consecutiveFailures: attempts, lastFailure } = health;
  return failingSince === null ? null : { keyId, origin: originOf(url), failingSince, attempts, lastFailure };
}

/** The warnings that are due, and the endpoint that remembers them. */
export interface EndpointWarnings {
  readonly endpoint: StoredEndpoint;
  readonly reasons: readonly FailingReason[];
}

/** Returns the warnings that are due at a time. A paused endpoint gets none, because its pause has an alert. */
export function warnByTime(endpoint: StoredEndpoint, now: Instant): EndpointWarnings {
  const { state, health } = endpoint;
  const { firstFailureAt, failingWarnedAt, pauseWarnedAt } = health;
  if (state.kind === 'paused' || firstFailureAt === null) return { endpoint, reasons: [] };
  const failingMs = now - firstFailureAt;
  const isHour = failingWarnedAt === null && failingMs >= WARN_AFTER_MS;
  const isNearPause = pauseWarnedAt === null && failingMs >= NEAR_PAUSE_MS;
  const marks = {
    failingWarnedAt: isHour ? now : failingWarnedAt,
    pauseWarnedAt: isNearPause ? now : pauseWarnedAt,
  };
  const reportedAt = isHour || isNearPause ? now : health.reportedAt;
  const warned = { ...health, ...marks, reportedAt, nextWarningAt: nextWarningAt(firstFailureAt, marks) };
  const hour: readonly FailingReason[] = isHour ? ['one_hour'] : [];
  const pause: readonly FailingReason[] = isNearPause ? ['near_pause'] : [];
  return { endpoint: { ...endpoint, health: warned }, reasons: [...hour, ...pause] };
}

/** Returns the endpoint with the warning recorded. Null if its number of failures in a row is no reason to warn. */
export function warnByFailures(endpoint: StoredEndpoint, now: Instant): StoredEndpoint | null {
  const { state, health } = endpoint;
  if (health.consecutiveFailures < NEAR_PAUSE_FAILURES || health.pauseWarnedAt !== null) return null;
  // 410 pauses the endpoint whatever its count.
  if (state.kind === 'paused' || health.firstFailureAt === null) return null;
  const marks = { failingWarnedAt: health.failingWarnedAt, pauseWarnedAt: now };
  const next = nextWarningAt(health.firstFailureAt, marks);
  return { ...endpoint, health: { ...health, ...marks, reportedAt: now, nextWarningAt: next } };
}
