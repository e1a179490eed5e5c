import type { PartnerApi, SubmitOutcome } from '../partner-api.js';
import { createIdempotencyLock } from './idempotency-lock.js';
import { createSubmitInBatches, type SubmitInBatchesDeps } from './submit-in-batches.js';

/** What submitting needs. */
export interface SubmitApplicationDeps extends SubmitInBatchesDeps {
  readonly chargeGuard: PartnerApi['chargeGuard'];
}

/** Submits in batches. Requests with the same idempotency key run one at a time. */
export function createSubmitApplication(deps: SubmitApplicationDeps): PartnerApi['submitApplication'] {
  const { runtime, chargeGuard } = deps;
  const submitInBatches = createSubmitInBatches(deps);
  const inTurn = createIdempotencyLock<SubmitOutcome>(runtime.clock, ({ kind }) => kind !== 'refused');

  return async (call) => {
    const { key, idempotencyKey } = call;
    const outcome = await inTurn(`${key.id}:${idempotencyKey}`, () => submitInBatches(call));
    if (outcome?.kind === 'refused' && outcome.isRepeated === true) await chargeGuard(key);
    if (outcome !== null) return outcome;
    const { allowed, state } = await chargeGuard(key);
    const code = allowed ? 'IDEMPOTENCY_KEY_IN_PROGRESS' : 'RATE_LIMITED';
    return { kind: 'refused', error: { code }, rate: state };
  };
}
