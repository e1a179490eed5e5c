import type { AuditFields } from '../../domain/audit.js';
import type { KeyId } from '../../domain/ids.js';
import { isGiven } from '../../domain/optional.js';
import { OVERLAP_LIMIT_HOURS } from '../../domain/partner-key.js';
import { KEY_LIMIT_KINDS, type KeyLimitKind, keyAt, type LoweredLimits } from '../../domain/rate-limit.js';
import { withSummary } from '../../operator/command/command-field.js';
import { durationMs, id, integer, name, optional } from '../../operator/command/fields.js';
import { object, record } from '../../operator/command/input.js';
import { lockKey } from '../../operator/find-or-throw.js';
import { recordAct, type Scope } from '../../operator/scope.js';

/** Lower limits for a key. */
export interface LimitLowering extends Pick<LoweredLimits, 'perMinute' | 'reason'> {
  readonly id: KeyId;
  /** How long they apply, in milliseconds: a week at most. */
  readonly forMs: number;
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

export const loweringInput = record({
  id: id('key'),
  perMinute: object(limitsByKind as Record<KeyLimitKind, typeof limit>, (given) =>
    Object.values(given).some(isGiven) ? [] : [{ rule: 'must have a limit' }],
  ),
  reason: name(),
  forMs: withSummary(durationMs(), `How long the lower limits apply: at most ${OVERLAP_LIMIT_HOURS} hours`),
});

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
