import { SECOND_MS } from '../domain/time.js';
import { createGroup } from '../group.js';
import type { AddPresumed } from '../ports/presumed-submission.js';
import type { Storage } from '../ports/storage.js';
import { type Callers, isPresumable, presentedHash } from './callers.js';
import { createGroupByKey } from './group-by-key.js';
import { createIdempotencyTurns } from './idempotency-turns.js';
import type { PartnerApi, SubmitCall, SubmitOutcome } from './partner-api.js';
import { createSubmissionMemory } from './submission-memory.js';
import { createSubmitApplications, type SubmitDeps } from './submit-applications.js';
import { submitPresumed } from './submit-presumed.js';

type SubmittingMethods = 'submitApplication' | 'presume' | 'submitPresumed';

/** What submitting needs. */
export interface SubmittingDeps extends Omit<SubmitDeps, 'memory'> {
  readonly storage: Pick<Storage<never>, 'transaction' | 'addPresumed'>;
  readonly callers: Callers;
  readonly chargeGuard: PartnerApi['chargeGuard'];
  /** Called after a commit that left a résumé to fetch. */
  readonly onResumeSubmitted: () => void;
  /** Told how many submissions go together. */
  readonly onBatch: (size: number) => void;
}

/** Bounds a submission's transaction, during which the single writer of SQLite is held. */
const MAX_SUBMISSIONS = 128;

/**
 * Keys whose feeds are held by others, and waited for, at one time: each has a transaction under way. The host's
 * pool must have room for more than these.
 */
const MAX_HELD_KEYS = 4;
/** How long further ones wait for one of those to end: with what that may take, about fifteen seconds in all. */
const MAX_HELD_WAIT_MS = 5 * SECOND_MS;

/**
 * Submitting, in its two ways: in batches, which do everything, and in one step, for a submission that has the
 * process to itself. Where several are under way, or lately were, batches let more through.
 */
export function createSubmitting(deps: SubmittingDeps): Pick<PartnerApi, SubmittingMethods> {
  const { runtime, storage, callers, chargeGuard } = deps;
  const memory = createSubmissionMemory();
  const submitApplications = createSubmitApplications({
    ...deps,
    memory: storage.addPresumed === null ? null : memory,
  });
  let underWay = 0;
  let lastBatch = 0;

  const batches = { maxBatch: MAX_SUBMISSIONS, gathers: true, onBatch: noteBatch };
  const promptly = createGroup(nudging(submitApplications.promptly), batches);
  const patiently = createGroupByKey(nudging(submitApplications.patiently), {
    ...batches,
    maxBatches: MAX_HELD_KEYS,
    maxWaitMs: MAX_HELD_WAIT_MS,
    clock: runtime.clock,
  });
  const inTurn = createIdempotencyTurns<SubmitOutcome | null>(
    runtime.clock,
    (outcome) => outcome !== null && outcome.kind !== 'refused',
  );
  const turnOf = (call: SubmitCall) => `${call.key.id}:${call.idempotencyKey}`;

  function noteBatch(size: number): void {
    lastBatch = size;
    deps.onBatch(size);
  }

  function nudging<Outcome extends SubmitOutcome | null>(
    submitAll: (calls: readonly SubmitCall[]) => Promise<readonly Outcome[]>,
  ) {
    return async (calls: readonly SubmitCall[]) => {
      const outcomes = await submitAll(calls);
      if (calls.some((call, index) => leavesResume(call, outcomes[index]))) deps.onResumeSubmitted();
      return outcomes;
    };
  }

  /** Together with all others; by its key alone while somebody else, such as a host's transaction, holds its feed. */
  async function submit(call: SubmitCall): Promise<SubmitOutcome> {
    const { id } = call.key;
    const outcome = patiently.has(id) ? null : await promptly(call);
    return outcome ?? patiently.add(id, call);
  }

  /** Counts what is under way while it is. */
  async function noting<T>(work: () => Promise<T>): Promise<T> {
    underWay += 1;
    try {
      return await work();
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
      const outcome = await noting(() => inTurn(turnOf(call), () => submit(call)));
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
      const outcome = await noting(() =>
        inTurn(turnOf(call), () => submitPresumed({ ...deps, memory, addPresumed }, caller, call)),
      );
      if (outcome?.kind !== 'created') return null;
      noteBatch(1);
      if (leavesResume(call, outcome)) deps.onResumeSubmitted();
      return outcome;
    },
  };
}

/** Whether a call came to an application whose résumé is to be fetched. */
function leavesResume({ parsed }: SubmitCall, outcome: SubmitOutcome | null | undefined): boolean {
  return outcome?.kind === 'created' && parsed.kind === 'valid' && parsed.submission.resumeUrl !== null;
}
