import { type AttemptOutcome, type EndpointFailure, failureOf, isGone, isSuccess } from './delivery.js';
import { type Gap, type GapAttempt, gapAfter } from './gap.js';
import type { KeyId } from './ids.js';
import { DAY_MS, HOUR_MS, type Instant } from './time.js';

/** Why an endpoint is paused because of the outcomes of its attempts. */
export type FailurePauseReason = 'consecutive_failures' | 'no_success' | 'gone';

/**
 * Why an endpoint is paused: `consecutive_failures`, 50 attempts in a row failed; `no_success`, it has failed for 24
 * hours; `gone`, it answered 410; `operator` and `partner`, who paused it; `partner_disabled`, until the partner is
 * enabled; `copied`, the database is a claimed copy; `partner_removed`, permanently. The partner can resume it unless
 * the reason is `operator` or one of the last three.
 */
export type PauseReason =
  | FailurePauseReason
  | 'operator'
  | 'partner'
  | 'partner_disabled'
  | 'copied'
  | 'partner_removed';

/**
 * Successes and failures. An endpoint is failing from its first failed attempt to its next success. Resuming
 * a paused endpoint starts its health afresh.
 */
export interface EndpointHealth {
  /** How many attempts failed since the last success. */
  readonly consecutiveFailures: number;
  /** Since when the endpoint is failing. Null if it is not. */
  readonly firstFailureAt: Instant | null;
  readonly lastSuccessAt: Instant | null;
  /** Why the last attempt failed. Null if the endpoint is not failing. */
  readonly lastFailure: EndpointFailure | null;
  /** When the host was warned that the endpoint has been failing for an hour. Null before. */
  readonly failingWarnedAt: Instant | null;
  /** When the host was warned that the endpoint will soon be paused. Null before. */
  readonly pauseWarnedAt: Instant | null;
  /** When the passing of time leads to the next warning. Null if none is left. */
  readonly nextWarningAt: Instant | null;
  /** When a dead letter was last worth a message to the partner. Null if none was since the endpoint was resumed. */
  readonly deadLettersToldAt: Instant | null;
  /** When the host was last warned of the endpoint, or told of its pause. Null once it is well again. */
  readonly reportedAt: Instant | null;
  /** The wait between its attempts. Null if it is sent to at full speed, or paused. */
  readonly gap: Gap | null;
}

/** Active or paused. */
export type EndpointState =
  | { readonly kind: 'active' }
  | { readonly kind: 'paused'; readonly reason: PauseReason; readonly pausedAt: Instant };

/** Returns why an endpoint is paused. Null if it is active. */
export function pausedReasonOf({ state }: Pick<StoredEndpoint, 'state'>): PauseReason | null {
  return state.kind === 'active' ? null : state.reason;
}

/** A key's webhook endpoint, as it is stored. Each key has at most one. */
export interface StoredEndpoint {
  readonly keyId: KeyId;
  readonly url: string;
  readonly state: EndpointState;
  readonly health: EndpointHealth;
  /** The current one first. */
  readonly secrets: readonly SealedSigningSecret[];
  readonly createdAt: Instant;
  /** When the host last resumed the endpoint. Null if it never did. */
  readonly resumedAt: Instant | null;
  /** Null if the partner has not changed the URL, or if the host has set it since. */
  readonly replacedUrl: ReplacedUrl | null;
}

/** A key's webhook endpoint, without its secrets. Each key has at most one. */
export interface Endpoint extends Omit<StoredEndpoint, 'secrets'> {
  /** `endpoints.setUrl({ keyId, restore: true })` restores this URL. Null if there is none. */
  readonly replacedUrl: ReplacedUrl | null;
  /** Changes with each rotation. It does not reveal the secret. */
  readonly signingSecretId: string;
}

/** The URL that the partner's own changes replaced. The operator can restore it for 24 hours after the last change. */
export interface ReplacedUrl {
  readonly url: string;
  /** When the partner last changed the URL. */
  readonly at: Instant;
}

/** The query and the fragment of a URL, or a fragment alone. */
const QUERY = /([?#]).+$/s;

/**
 * Returns an endpoint as those who may not set its URL see it: a query may contain a secret, so `?…` replaces it.
 * @example
 * hideQuery({ url: 'https://ats.example/hooks?token=x' }).url; // 'https://ats.example/hooks?…'
 */
export function hideQuery<
  Shown extends { readonly url: string; readonly replacedUrl?: ReplacedUrl | null | undefined },
>(shown: Shown): Shown {
  const hidden = { ...shown, url: shown.url.replace(QUERY, '$1…') };
  return shown.replacedUrl == null ? hidden : { ...hidden, replacedUrl: hideQuery(shown.replacedUrl) };
}

/** Long enough for the partner's staff to notice a change that they did not make. */
export const RESTORE_MS = DAY_MS;

/** Returns the URL that the operator can restore, or null. */
export function restorableUrl(
  { replacedUrl }: Pick<StoredEndpoint, 'replacedUrl'>,
  now: Instant,
): ReplacedUrl | null {
  return replacedUrl !== null && now < replacedUrl.at + RESTORE_MS ? replacedUrl : null;
}

/**
 * Returns the endpoint with the URL that its partner has set. A second change within 24 hours keeps the first URL as the
 * one to restore: otherwise, a thief could change it twice.
 */
export function withPartnerUrl(endpoint: StoredEndpoint, url: string, now: Instant): StoredEndpoint {
  const first = restorableUrl(endpoint, now)?.url ?? endpoint.url;
  return { ...endpoint, url, replacedUrl: { url: first, at: now } };
}

/** A stored signing secret. */
export interface SealedSigningSecret {
  readonly sealed: string;
  readonly createdAt: Instant;
  /** When the secret expires. Null for the current secret. */
  readonly expiresAt: Instant | null;
  /** Names the secret, which was sealed again since it was made. Otherwise a hash of the sealed text names it. */
  readonly id?: string | undefined;
}

/** Contract: 12.9. */
export const PAUSE_AFTER_FAILURES = 50;
/** Contract: 12.9. */
export const PAUSE_AFTER_DARK_MS = DAY_MS;

/** Long enough for a partner's deployment, and short enough to act on the same day. */
export const WARN_AFTER_MS = HOUR_MS;
/** The second warning comes at nine tenths of a limit, so that there is time to act. */
export const NEAR_PAUSE_FAILURES = (PAUSE_AFTER_FAILURES * 9) / 10;
/** The same part of the time limit, in milliseconds. */
export const NEAR_PAUSE_MS = (PAUSE_AFTER_DARK_MS * 9) / 10;

/** The health of a new or resumed endpoint. */
export const FRESH_HEALTH: EndpointHealth = {
  consecutiveFailures: 0,
  firstFailureAt: null,
  lastSuccessAt: null,
  lastFailure: null,
  failingWarnedAt: null,
  pauseWarnedAt: null,
  nextWarningAt: null,
  deadLettersToldAt: null,
  reportedAt: null,
  gap: null,
};

// List the fields here and below: object spread is several times slower, and this runs once per attempt.
function healthAfter(health: EndpointHealth, attempt: GapAttempt): EndpointHealth {
  const { outcome, endedAt } = attempt;
  const cause = failureOf(outcome);
  if (cause === null) {
    return {
      consecutiveFailures: 0,
      firstFailureAt: null,
      lastSuccessAt: endedAt,
      lastFailure: null,
      failingWarnedAt: null,
      pauseWarnedAt: null,
      nextWarningAt: null,
      deadLettersToldAt: health.deadLettersToldAt,
      reportedAt: null,
      gap: health.gap === null ? null : gapAfter(health.gap, attempt, { failures: 0, cause }),
    };
  }
  const firstFailureAt = health.firstFailureAt ?? endedAt;
  const failures = health.consecutiveFailures + 1;
  return {
    consecutiveFailures: failures,
    firstFailureAt,
    lastSuccessAt: health.lastSuccessAt,
    lastFailure: cause,
    failingWarnedAt: health.failingWarnedAt,
    pauseWarnedAt: health.pauseWarnedAt,
    nextWarningAt: nextWarningAt(firstFailureAt, health),
    deadLettersToldAt: health.deadLettersToldAt,
    reportedAt: health.reportedAt,
    gap: gapAfter(health.gap, attempt, { failures, cause }),
  };
}

/** Returns when the passing of time leads to the next warning of a failing endpoint. */
export function nextWarningAt(
  firstFailureAt: Instant,
  { failingWarnedAt, pauseWarnedAt }: Pick<EndpointHealth, 'failingWarnedAt' | 'pauseWarnedAt'>,
): Instant | null {
  if (failingWarnedAt === null) return firstFailureAt + WARN_AFTER_MS;
  return pauseWarnedAt === null ? firstFailureAt + NEAR_PAUSE_MS : null;
}

/** A partner is told of dead letters once in this time, because an outage makes thousands of them. */
export const DEAD_LETTERS_EVERY_MS = DAY_MS;

/** Returns the endpoint with the dead letter recorded. Null if its partner was told of another one less than a day ago. */
export function tellOfDeadLetter(endpoint: StoredEndpoint, at: Instant): StoredEndpoint | null {
  const { deadLettersToldAt } = endpoint.health;
  if (deadLettersToldAt !== null && at < deadLettersToldAt + DEAD_LETTERS_EVERY_MS) return null;
  return { ...endpoint, health: { ...endpoint.health, deadLettersToldAt: at } };
}

/** Returns why to pause the endpoint, or null. `no_success`: it has been failing for at least 24 hours. */
function decidePause(
  health: EndpointHealth,
  outcome: AttemptOutcome,
  endedAt: Instant,
): FailurePauseReason | null {
  if (isGone(outcome)) return 'gone';
  if (health.consecutiveFailures >= PAUSE_AFTER_FAILURES) return 'consecutive_failures';
  const { firstFailureAt } = health;
  return firstFailureAt !== null && endedAt - firstFailureAt >= PAUSE_AFTER_DARK_MS ? 'no_success' : null;
}

/** A paused endpoint stays paused: only an operator resumes it. */
export function endpointAfter(endpoint: StoredEndpoint, attempt: GapAttempt): StoredEndpoint {
  const { keyId, url, secrets, createdAt, resumedAt, replacedUrl } = endpoint;
  const health = healthAfter(endpoint.health, attempt);
  const state = stateAfter(endpoint.state, health, attempt.outcome, attempt.endedAt);
  if (state.kind === 'active')
    return { keyId, url, state, health, secrets, createdAt, resumedAt, replacedUrl };
  // A late success does not resume the endpoint, so the host is told that it is well only after it is resumed.
  const reportedAt = endpoint.state.kind === 'paused' ? endpoint.health.reportedAt : attempt.endedAt;
  return { ...endpoint, state, health: { ...health, gap: null, reportedAt } };
}

/** Returns the endpoint as paused. */
export function pausedEndpoint(
  endpoint: StoredEndpoint,
  reason: PauseReason,
  pausedAt: Instant,
): StoredEndpoint {
  return {
    ...endpoint,
    state: { kind: 'paused', reason, pausedAt },
    health: { ...endpoint.health, gap: null },
  };
}

/** Returns the endpoint after several attempts. In a run of successes without a gap, only the last one has an effect. */
export function endpointAfterEach(endpoint: StoredEndpoint, ends: readonly GapAttempt[]): StoredEndpoint {
  let after = endpoint;
  for (let index = 0; index < ends.length; index += 1) {
    const end = ends[index];
    const next = ends[index + 1];
    if (end === undefined) continue;
    const isFollowed = next !== undefined && isSuccess(end.outcome) && isSuccess(next.outcome);
    if (!isFollowed || after.health.gap !== null) after = endpointAfter(after, end);
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

/** Returns the endpoint as active, with its failure counters reset. One with a gap gets one attempt now. */
export function resumeEndpoint(endpoint: StoredEndpoint, now: Instant): StoredEndpoint {
  const { lastSuccessAt, reportedAt, gap } = endpoint.health;
  if (endpoint.state.kind === 'active') {
    if (gap === null || gap.until <= now) return endpoint;
    return { ...endpoint, health: { ...endpoint.health, gap: { ...gap, until: now } } };
  }
  const health = { ...FRESH_HEALTH, lastSuccessAt, reportedAt };
  return { ...endpoint, state: { kind: 'active' }, health, resumedAt: now };
}

/** Returns whether nothing has succeeded since the endpoint was resumed. Sending to it starts with one attempt. */
export function isUntriedSinceResume({
  resumedAt,
  health,
}: Pick<StoredEndpoint, 'resumedAt' | 'health'>): boolean {
  return resumedAt !== null && (health.lastSuccessAt === null || health.lastSuccessAt < resumedAt);
}
