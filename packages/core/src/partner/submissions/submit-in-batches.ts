import { createBatcher } from '../../batcher.js';
import { SECOND_MS } from '../../domain/time.js';
import type { SubmitCall, SubmitOutcome } from '../partner-api.js';
import { createBatcherByKey } from './batcher-by-key.js';
import { BatchConflict } from './submission-batch.js';
import { createSubmitApplications, type SubmitDeps } from './submit-applications.js';

/** What submitting in batches needs. */
export interface SubmitInBatchesDeps extends SubmitDeps {
  /** Called after a commit that left a résumé to fetch. */
  readonly onResumeSubmitted: () => void;
  /** Told how many submissions go together. */
  readonly onBatch: (size: number) => void;
  /** Told why a batch is run again call by call. */
  readonly onBroken: (size: number, err: unknown) => void;
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
 * Submits one application, together with all others that come at the time; by its key alone while somebody else, such
 * as a host's transaction, holds its feed.
 */
export function createSubmitInBatches(
  deps: SubmitInBatchesDeps,
): (call: SubmitCall) => Promise<SubmitOutcome> {
  const { runtime, onResumeSubmitted, onBatch } = deps;
  const submitApplications = createSubmitApplications(deps);
  // That others kept binding a batch's keys is their doing, and no fault.
  const onBroken = (size: number, err: unknown) => {
    if (!(err instanceof BatchConflict)) deps.onBroken(size, err);
  };
  const batches = { maxBatch: MAX_SUBMISSIONS, gathers: true, onBatch, onBroken };
  const withoutBlocking = createBatcher(
    nudging(submitApplications.withoutBlocking, onResumeSubmitted),
    batches,
  );
  const withRetry = createBatcherByKey(nudging(submitApplications.withRetry, onResumeSubmitted), {
    ...batches,
    maxBatches: MAX_HELD_KEYS,
    maxWaitMs: MAX_HELD_WAIT_MS,
    clock: runtime.clock,
  });
  return async (call) => {
    const { id } = call.key;
    const outcome = withRetry.has(id) ? null : await withoutBlocking(call);
    return outcome ?? withRetry.add(id, call);
  };
}

/** Submits as before, and tells once of a batch that left résumés to fetch, however many. */
function nudging<Outcome extends SubmitOutcome | null>(
  submitAll: (calls: readonly SubmitCall[]) => Promise<readonly Outcome[]>,
  onResumeSubmitted: () => void,
) {
  return async (calls: readonly SubmitCall[]) => {
    const outcomes = await submitAll(calls);
    if (calls.some((call, index) => leavesResume(call, outcomes[index]))) onResumeSubmitted();
    return outcomes;
  };
}

/** Whether a call came to an application whose résumé is to be fetched. */
function leavesResume({ parsed }: SubmitCall, outcome: SubmitOutcome | null | undefined): boolean {
  return outcome?.kind === 'created' && parsed.kind === 'valid' && parsed.submission.resumeUrl !== null;
}
