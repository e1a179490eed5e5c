import type { AttemptEnd, EndpointFailure } from './delivery.js';
import { JITTER } from './retry-schedule.js';
import { HOUR_MS, type Instant, MINUTE_MS, SECOND_MS } from './time.js';

/**
 * The wait between two attempts at an endpoint, one at a time over all processes. It is probed after five failures in a
 * row, or paced because it limits. Durations are in milliseconds.
 */
export interface Gap {
  /** Whether the endpoint limits: a success shortens the gap of a paced endpoint, and ends the gap of a probed one. */
  readonly isPaced: boolean;
  readonly ms: number;
  readonly since: Instant;
  /** When the gap last changed. An attempt that began before does not change its length. */
  readonly at: Instant;
  /** When the next attempt may begin. */
  readonly until: Instant;
  /** The last failure. */
  readonly cause: EndpointFailure;
}

/** Failures in a row, of whichever events, after which an endpoint is probed. */
export const PROBE_AFTER_FAILURES = 5;
export const FIRST_PROBE_MS = SECOND_MS;
export const FIRST_PACE_MS = 100;
/** The longest gap, unless the receiver asks for more. */
export const LONGEST_GAP_MS = MINUTE_MS;
/** A shorter gap ends. */
export const SHORTEST_GAP_MS = 10;
/** A success shortens the gap of a paced endpoint to this part. */
export const PACE_SHRINKS_TO = 0.95;
/** The longest wait that a `Retry-After` can ask for. */
export const LONGEST_RETRY_AFTER_MS = HOUR_MS;

/** An ended attempt. `random` is in [0, 1). */
export interface GapAttempt extends AttemptEnd {
  readonly random: number;
}

/**
 * Returns the gap after an attempt. The gap doubles with each attempt behind it that fails.
 * @param failures - how many attempts have failed in a row, with this one.
 * @param cause - why this one failed. Null if it succeeded.
 */
export function gapAfter(
  gap: Gap | null,
  attempt: GapAttempt,
  { failures, cause }: { readonly failures: number; readonly cause: EndpointFailure | null },
): Gap | null {
  const { endedAt, latencyMs, random } = attempt;
  const isBehind = gap !== null && endedAt - latencyMs >= gap.at;
  if (cause === null) return gap?.isPaced === true ? paceOn(gap, isBehind, endedAt) : null;
  const askedMs = askedWait(attempt);
  const isPaced = askedMs !== null;
  if (!isPaced && failures < PROBE_AFTER_FAILURES) {
    return gap === null || !isBehind ? gap : { ...gap, cause, at: endedAt, until: endedAt + gap.ms };
  }
  const firstMs = isPaced ? FIRST_PACE_MS : FIRST_PROBE_MS;
  if (gap !== null && !isBehind) {
    return {
      ...gap,
      cause,
      isPaced: gap.isPaced || isPaced,
      until: Math.max(gap.until, endedAt + (askedMs ?? 0)),
    };
  }
  const ms = gap === null ? firstMs : Math.min(Math.max(2 * gap.ms, firstMs), LONGEST_GAP_MS);
  const varied = isPaced ? ms : Math.round(ms * (1 - JITTER + 2 * JITTER * random));
  const until = endedAt + Math.max(varied, askedMs ?? 0);
  return { isPaced, ms, since: gap?.since ?? endedAt, at: endedAt, until, cause };
}

function paceOn(gap: Gap, isBehind: boolean, endedAt: Instant): Gap | null {
  if (!isBehind) return gap;
  const ms = Math.floor(gap.ms * PACE_SHRINKS_TO);
  return ms < SHORTEST_GAP_MS ? null : { ...gap, ms, at: endedAt, until: endedAt + ms };
}

/** Returns how long a receiver that limits asks to wait, 0 if it does not say. Null if it does not limit. */
function askedWait({ outcome }: AttemptEnd): number | null {
  if (outcome.kind !== 'answered') return null;
  const { status, retryAfterMs } = outcome;
  const limits = status === 429 || (status === 503 && retryAfterMs !== undefined);
  return limits ? Math.min(retryAfterMs ?? 0, LONGEST_RETRY_AFTER_MS) : null;
}
