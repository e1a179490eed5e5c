import { type AttemptOutcome, isGone, isSuccess } from './delivery.js';
import type { KeyId } from './ids.js';
import { DAY_MS, type Instant } from './time.js';

/** Why an endpoint is paused. */
export type PauseReason = 'consecutive_failures' | 'no_success' | 'gone' | 'operator';

/** How an endpoint has been answering. */
export interface EndpointHealth {
  readonly consecutiveFailures: number;
  /** The first failure since the last success; null while there is none. */
  readonly firstFailureAt: Instant | null;
  readonly lastSuccessAt: Instant | null;
}

/** Whether events are sent, and since when and why not. */
export type EndpointState =
  | { readonly kind: 'active' }
  | { readonly kind: 'paused'; readonly reason: PauseReason; readonly pausedAt: Instant };

/** A key's webhook endpoint. One key has one. */
export interface Endpoint {
  readonly keyId: KeyId;
  readonly url: string;
  readonly state: EndpointState;
  readonly health: EndpointHealth;
  /** Signing secrets sealed at rest, the current one first. */
  readonly secrets: readonly SealedSigningSecret[];
  readonly createdAt: Instant;
}

/** A signing secret as it is stored. */
export interface SealedSigningSecret {
  /** What the host's `SecretBox` made of it. It opens for this endpoint alone. */
  readonly sealed: string;
  /** When it stops signing after a rotation; null for the current one. */
  readonly expiresAt: Instant | null;
}

/** Failures in a row that pause an endpoint. Spec: Delivery, retries, pausing, auto-pause. */
export const PAUSE_AFTER_FAILURES = 50;
/** Time without a success, while there are failures, that pauses it. Spec: auto-pause. */
export const PAUSE_AFTER_DARK_MS = DAY_MS;

/** An endpoint that nothing was sent to yet, and one that was just resumed. */
export const FRESH_HEALTH: EndpointHealth = {
  consecutiveFailures: 0,
  firstFailureAt: null,
  lastSuccessAt: null,
};

/** The health after an attempt that ended at `endedAt`. */
function healthAfter(health: EndpointHealth, outcome: AttemptOutcome, endedAt: Instant): EndpointHealth {
  if (isSuccess(outcome)) return { consecutiveFailures: 0, firstFailureAt: null, lastSuccessAt: endedAt };
  return {
    consecutiveFailures: health.consecutiveFailures + 1,
    firstFailureAt: health.firstFailureAt ?? endedAt,
    lastSuccessAt: health.lastSuccessAt,
  };
}

/**
 * Whether an attempt's outcome pauses the endpoint, and why: 410 at once, 50 failures in a row, or a
 * failure 24 hours or more after the first since the last success. An idle endpoint is never paused, and a success pauses
 * none: it leaves no failure in the health after it.
 */
function decidePause(
  health: EndpointHealth,
  outcome: AttemptOutcome,
  endedAt: Instant,
): Exclude<PauseReason, 'operator'> | null {
  if (isGone(outcome)) return 'gone';
  if (health.consecutiveFailures >= PAUSE_AFTER_FAILURES) return 'consecutive_failures';
  const { firstFailureAt } = health;
  return firstFailureAt !== null && endedAt - firstFailureAt >= PAUSE_AFTER_DARK_MS ? 'no_success' : null;
}

/**
 * The endpoint after an attempt. A paused one stays paused, whatever an attempt that was still in flight
 * brings home: only an operator resumes.
 */
export function endpointAfter(endpoint: Endpoint, outcome: AttemptOutcome, endedAt: Instant): Endpoint {
  // Once for every attempt: copied by name, because a spread takes several times as long.
  const { keyId, url, secrets, createdAt } = endpoint;
  const health = healthAfter(endpoint.health, outcome, endedAt);
  const state = stateAfter(endpoint.state, health, outcome, endedAt);
  return { keyId, url, state, health, secrets, createdAt };
}

/** The endpoint after many attempts, in their order. Of successes in a row only the last one leaves a trace. */
export function endpointAfterEach(
  endpoint: Endpoint,
  ends: readonly { readonly outcome: AttemptOutcome; readonly endedAt: Instant }[],
): Endpoint {
  let after = endpoint;
  for (let index = 0; index < ends.length; index += 1) {
    const end = ends[index];
    const next = ends[index + 1];
    if (end === undefined || (next !== undefined && isSuccess(end.outcome) && isSuccess(next.outcome)))
      continue;
    after = endpointAfter(after, end.outcome, end.endedAt);
  }
  return after;
}

function stateAfter(
  state: EndpointState,
  health: EndpointHealth,
  outcome: AttemptOutcome,
  endedAt: Instant,
): EndpointState {
  if (state.kind === 'paused') return state;
  const reason = decidePause(health, outcome, endedAt);
  return reason === null ? state : { kind: 'paused', reason, pausedAt: endedAt };
}

/** The endpoint resumed by an operator: counters start afresh. An active one is returned as it is. */
export function resumeEndpoint(endpoint: Endpoint): Endpoint {
  if (endpoint.state.kind === 'active') return endpoint;
  const { lastSuccessAt } = endpoint.health;
  return { ...endpoint, state: { kind: 'active' }, health: { ...FRESH_HEALTH, lastSuccessAt } };
}

/** The secrets that sign now, the current one first. */
export function signingSecrets(endpoint: Endpoint, now: Instant): readonly SealedSigningSecret[] {
  return endpoint.secrets.filter((secret) => secret.expiresAt === null || now < secret.expiresAt);
}
