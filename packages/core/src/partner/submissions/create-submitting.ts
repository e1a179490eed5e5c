import type { AddPresumed } from '../../ports/presumed-submission.js';
import type { Storage } from '../../ports/storage.js';
import { type Callers, isPresumable, presentedHash } from '../callers.js';
import type { PartnerApi, SubmitCall, SubmitOutcome } from '../partner-api.js';
import { createIdempotencyTurns } from './idempotency-turns.js';
import { createSubmissionMemory } from './submission-memory.js';
import { createSubmitInBatches, leavesResume, type SubmitInBatchesDeps } from './submit-in-batches.js';
import { submitPresumed } from './submit-presumed.js';

type SubmittingMethods = 'submitApplication' | 'presume' | 'submitPresumed';

/** What submitting needs. */
export interface SubmittingDeps extends Omit<SubmitInBatchesDeps, 'memory'> {
  readonly storage: Pick<Storage<never>, 'transaction' | 'addPresumed'>;
  readonly callers: Callers;
  readonly chargeGuard: PartnerApi['chargeGuard'];
}

/**
 * Submitting: in batches, which do everything, or in one step, for a submission that has the process to itself.
 * Where several are under way, or lately were, batches let more through.
 */
export function createSubmitting(deps: SubmittingDeps): Pick<PartnerApi, SubmittingMethods> {
  const { runtime, storage, callers, chargeGuard } = deps;
  const memory = createSubmissionMemory();
  let underWay = 0;
  let lastBatch = 0;

  const submitInBatches = createSubmitInBatches({
    ...deps,
    memory: storage.addPresumed === null ? null : memory,
    onBatch: noteBatch,
  });
  const inTurn = createIdempotencyTurns<SubmitOutcome | null>(
    runtime.clock,
    (outcome) => outcome !== null && outcome.kind !== 'refused',
  );

  function noteBatch(size: number): void {
    lastBatch = size;
    deps.onBatch(size);
  }

  /** Does a call's work when it is the turn of its idempotency key; null if that did not come in time. */
  async function takeTurn(
    { key, idempotencyKey }: SubmitCall,
    work: () => Promise<SubmitOutcome | null>,
  ): Promise<SubmitOutcome | null> {
    underWay += 1;
    try {
      return await inTurn(`${key.id}:${idempotencyKey}`, work);
    } finally {
      underWay -= 1;
    }
  }

  /** How a submission can be added in one step now; null if it cannot, or should not. */
  function inOneStep(): AddPresumed | null {
    return underWay === 0 && lastBatch <= 1 ? storage.addPresumed : null;
  }

  return {
    submitApplication: async (call) => {
      const outcome = await takeTurn(call, () => submitInBatches(call));
      if (outcome !== null) return outcome;
      const { allowed, state } = await chargeGuard(call.key);
      const code = allowed ? 'IDEMPOTENCY_KEY_IN_PROGRESS' : 'RATE_LIMITED';
      return { kind: 'refused', error: { code }, rate: state };
    },
    presume: (authorization) => {
      if (inOneStep() === null) return null;
      const hash = presentedHash(authorization);
      const caller = hash === null ? undefined : callers.find(hash);
      return caller !== undefined && isPresumable(caller, runtime.clock.now()) ? caller : null;
    },
    submitPresumed: async (caller, read) => {
      const call = { ...read, key: caller.key };
      // While its body was read, others may have come. If none is under way, nobody holds its turn.
      const addPresumed = inOneStep();
      if (addPresumed === null) return null;
      const oneStep = { ...deps, memory, addPresumed };
      const outcome = await takeTurn(call, () => submitPresumed(oneStep, caller, call));
      if (outcome?.kind !== 'created') return null;
      noteBatch(1);
      if (leavesResume(call, outcome)) deps.onResumeSubmitted();
      return outcome;
    },
  };
}
