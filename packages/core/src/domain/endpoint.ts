import { type AttemptOutcome, isGone, isSuccess } from './delivery.js';
import type { KeyId } from './ids.js';
import { DAY_MS, type Instant } from './time.js';

/** Why an endpoint is paused. */
export type PauseReason = 'consecutive_failures' | 'no_success' | 'gone' | 'operator';

/** Successes and failures. */
export interface EndpointHealth {
  readonly consecutiveFailures: number;
  readonly firstFailureAt: Instant | null;
  readonly lastSuccessAt: Instant | null;
}

/** Active or paused. */
export type EndpointState =
  | { readonly kind: 'active' }
  | { readonly kind: 'paused'; readonly reason: PauseReason; readonly pausedAt: Instant };

/** A key has at most one. */
export interface Endpoint {
  readonly keyId: KeyId;
  readonly url: string;
  readonly state: EndpointState;
  readonly health: EndpointHealth;
  /** The current one first. */
  readonly secrets: readonly SealedSigningSecret[];
  readonly createdAt: Instant;
}

/** A stored signing secret. */
export interface SealedSigningSecret {
  readonly sealed: string;
  /** Null for the current secret. */
  readonly expiresAt: Instant | null;
}

/** Spec: Delivery, retries, pausing, auto-pause. */
export const PAUSE_AFTER_FAILURES = 50;
/** Spec: auto-pause. */
export const PAUSE_AFTER_DARK_MS = DAY_MS;

/** The health of a new or resumed endpoint. */
export const FRESH_HEALTH: EndpointHealth = {
  consecutiveFailures: 0,
  firstFailureAt: null,
  lastSuccessAt: null,
};

function healthAfter(health: EndpointHealth, outcome: AttemptOutcome, endedAt: Instant): EndpointHealth {
  if (isSuccess(outcome)) return { consecutiveFailures: 0, firstFailureAt: null, lastSuccessAt: endedAt };
  return {
    consecutiveFailures: health.consecutiveFailures + 1,
    firstFailureAt: health.firstFailureAt ?? endedAt,
    lastSuccessAt: health.lastSuccessAt,
  };
}

/** A failure at least 24 hours after the first one since the last success pauses an endpoint. */
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

/** A paused endpoint stays paused: only an operator resumes it. */
export function endpointAfter(endpoint: Endpoint, outcome: AttemptOutcome, endedAt: Instant): Endpoint {
  // A spread is several times slower, and this runs once per attempt.
  const { keyId, url, secrets, createdAt } = endpoint;
  const health = healthAfter(endpoint.health, outcome, endedAt);
  const state = stateAfter(endpoint.state, health, outcome, endedAt);
  return { keyId, url, state, health, secrets, createdAt };
}

/** Of consecutive successes, only the last one counts. */
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

/** Also resets the failure counters. */
export function resumeEndpoint(endpoint: Endpoint): Endpoint {
  if (endpoint.state.kind === 'active') return endpoint;
  const { lastSuccessAt } = endpoint.health;
  return { ...endpoint, state: { kind: 'active' }, health: { ...FRESH_HEALTH, lastSuccessAt } };
}

/** The current one first. */
export function signingSecrets(endpoint: Endpoint, now: Instant): readonly SealedSigningSecret[] {
  return endpoint.secrets.filter((secret) => secret.expiresAt === null || now < secret.expiresAt);
}
