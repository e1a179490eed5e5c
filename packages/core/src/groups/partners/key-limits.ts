import type { AuditFields } from '../../domain/audit.js';
import type { KeyId } from '../../domain/ids.js';
import { type LoweredLimits, loweredAt } from '../../domain/rate-limit.js';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../domain/time.js';
import { withSummary } from '../../operator/command/command-field.js';
import { id, integer, name, optional, value } from '../../operator/command/fields.js';
import { object, record } from '../../operator/command/input.js';
import { lockKey } from '../../operator/find-or-throw.js';
import { recordAct, type Scope } from '../../operator/scope.js';

/** Lower limits for a key. */
export interface LimitLowering extends Pick<LoweredLimits, 'perMinute' | 'reason'> {
  readonly id: KeyId;
  /** How long they apply, in milliseconds, from one minute to 30 days. */
  readonly forMs: number;
}

/** The limits of a key after a command. */
export interface KeyLimitsOutcome {
  /** Null if the usual limits apply. */
  readonly loweredLimits: LoweredLimits | null;
  /** False if everything was as asked, so that nothing was written. */
  readonly changed: boolean;
}

/** A longer lowering is a decision that somebody should take again. */
const MAX_LOWERED_MS = 30 * DAY_MS;
/** Above each limit that a host has. */
const MAX_PER_MINUTE = 100_000;

const perMinute = optional(integer(1, MAX_PER_MINUTE));
const forMs = value<number>(
  (given) => Number.isInteger(given) && Number(given) >= MINUTE_MS && Number(given) <= MAX_LOWERED_MS,
  `must be an integer number of milliseconds, from a minute to ${MAX_LOWERED_MS / HOUR_MS} hours`,
  'duration',
);

export const loweringInput = record({
  id: id('key'),
  perMinute: object(
    {
      submit_application: perMinute,
      read_application: perMinute,
      list_applications: perMinute,
      list_jobs: perMinute,
      list_events: perMinute,
      webhook_endpoint: perMinute,
      guard: perMinute,
    },
    (given) =>
      Object.values(given).every((limit) => limit === undefined) ? [{ rule: 'must have a limit' }] : [],
  ),
  reason: name(),
  forMs: withSummary(forMs, `How long the lower limits apply: at most ${MAX_LOWERED_MS / HOUR_MS} hours`),
});

export async function lowerLimits(
  scope: Scope,
  { id, perMinute, reason, forMs }: LimitLowering,
): Promise<KeyLimitsOutcome> {
  return changeLimits(scope, id, { perMinute, until: (await scope.now()) + forMs, reason });
}

export async function changeLimits(
  scope: Scope,
  keyId: KeyId,
  loweredLimits: LoweredLimits | null,
): Promise<KeyLimitsOutcome> {
  const key = await lockKey(scope, keyId);
  const before = loweredAt(key.loweredLimits, await scope.now());
  if (before === null && loweredLimits === null) return { loweredLimits, changed: false };
  await scope.tx.keys.saveLimits([{ id: keyId, loweredLimits }]);
  recordAct(scope, {
    objects: [{ kind: 'key', id: keyId }],
    keyId,
    before: fieldsOfLowering(before),
    after: fieldsOfLowering(loweredLimits),
  });
  return { loweredLimits, changed: true };
}

function fieldsOfLowering(lowered: LoweredLimits | null): AuditFields {
  if (lowered === null) return {};
  const { perMinute, until: loweredUntil, reason } = lowered;
  return { ...perMinute, loweredUntil, reason };
}
