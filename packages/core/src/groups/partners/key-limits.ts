import type { AuditFields } from '../../domain/audit.js';
import type { KeyId } from '../../domain/ids.js';
import { isGiven } from '../../domain/optional.js';
import { isOverlapAllowed, OVERLAP_LIMIT_HOURS } from '../../domain/partner-key.js';
import {
  KEY_LIMIT_KINDS,
  type KeyLimitKind,
  keyAt,
  LIMITED_REQUESTS,
  type LoweredLimits,
  type RateLimits,
} from '../../domain/rate-limit.js';
import type { Instant } from '../../domain/time.js';
import { durationMs, id, instant, integer, name, optional } from '../../operator/command/fields.js';
import { InputProblem, object, record } from '../../operator/command/input.js';
import { lockKey } from '../../operator/find-or-throw.js';
import { recordAct, type Scope } from '../../operator/scope.js';

/** Lower limits for a key, with either `forMs` or `until`. */
export interface LimitLowering extends Pick<LoweredLimits, 'reason'> {
  readonly id: KeyId;
  /** Requests per minute, each from 1 and lower than the usual limit. Other kinds keep that. */
  readonly perMinute: LoweredLimits['perMinute'];
  /** How long they apply, in milliseconds: a week at most. */
  readonly forMs?: number | undefined;
  /** When the usual limits apply again: in a week at most. */
  readonly until?: Instant | undefined;
}

/** The limits of a key after a command. */
export interface KeyLimitsOutcome {
  /** Null if the usual limits apply. */
  readonly loweredLimits: LoweredLimits | null;
  /** False if everything was as asked, so that nothing was written. */
  readonly changed: boolean;
}

const limit = optional(integer(1, 100_000));
const limitsByKind = Object.fromEntries(KEY_LIMIT_KINDS.map((kind) => [kind, limit] as const));

export const loweringInput = record(
  {
    id: id('key'),
    perMinute: object(limitsByKind as Record<KeyLimitKind, typeof limit>, (given) =>
      Object.values(given).some(isGiven) ? [] : [{ rule: 'must have a limit' }],
    ),
    reason: name(),
    forMs: optional(durationMs(), `How long the lower limits apply: at most ${OVERLAP_LIMIT_HOURS} hours`),
    until: optional(instant, 'When the usual limits apply again, e.g. 2026-01-31T09:00Z'),
  },
  ({ forMs, until }) =>
    isGiven(forMs) === isGiven(until) ? [{ rule: 'must have either forMs or until' }] : [],
);

/** Lowers limits of a key. @throws InputProblem if a limit is not lower than usual, or lasts too long. */
export async function lowerLimits(
  scope: Scope,
  { id: keyId, perMinute, reason, forMs = 0, until: end }: LimitLowering,
): Promise<KeyLimitsOutcome> {
  const now = await scope.now();
  const until = end ?? now + forMs;
  if (!isOverlapAllowed(until - now))
    throw new InputProblem(`until must be from now to ${OVERLAP_LIMIT_HOURS} hours from now`);
  assertLower(perMinute, scope.rateLimits);
  return changeLimits(scope, keyId, { perMinute, until, reason });
}

function assertLower(perMinute: LoweredLimits['perMinute'], usual: RateLimits): void {
  const problems = KEY_LIMIT_KINDS.filter((kind) => (perMinute[kind] ?? 0) >= usual[kind]).map(
    (kind) =>
      `perMinute.${kind} must be lower than the usual limit of ${LIMITED_REQUESTS[kind]}, ${usual[kind]}`,
  );
  if (problems.length > 0) throw new InputProblem(...problems);
}

/** Replaces the lower limits of a key. Null: the usual limits apply again. */
export async function changeLimits(
  scope: Scope,
  keyId: KeyId,
  loweredLimits: LoweredLimits | null,
): Promise<KeyLimitsOutcome> {
  const { loweredLimits: before } = keyAt(await lockKey(scope, keyId), await scope.now());
  if (JSON.stringify(before) === JSON.stringify(loweredLimits)) return { loweredLimits, changed: false };
  await scope.tx.keys.saveLimits([{ id: keyId, loweredLimits }]);
  const objects = [{ kind: 'key', id: keyId }] as const;
  recordAct(scope, { objects, keyId, before: fieldsOf(before), after: fieldsOf(loweredLimits) });
  return { loweredLimits, changed: true };
}

function fieldsOf(lowered: LoweredLimits | null): AuditFields {
  if (lowered === null) return {};
  const { perMinute, until: loweredUntil, reason } = lowered;
  return { ...perMinute, loweredUntil, reason };
}
