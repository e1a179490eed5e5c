import type { RateLimits } from '../../domain/rate-limit.js';
import { StorageUnavailable } from '../../errors.js';
import type { PhoneNumbers } from '../../ports/phone-numbers.js';
import type { Runtime } from '../../ports/runtime.js';
import type { Storage } from '../../ports/storage.js';
import type { StorageClock } from '../../storage-clock.js';
import type { SubmitCall, SubmitOutcome } from '../partner-api.js';
import type { BuildReply } from './accept-submissions.js';
import { isValid } from './load-submissions.js';
import { createOptimisticMode } from './optimistic-mode.js';
import { BatchConflict } from './submission-batch.js';
import { submitBatch } from './submit-batch.js';
import { submitNew } from './submit-new.js';
import type { LookUpWay } from './take-stamps.js';

/** What submitting needs. */
export interface SubmitDeps {
  readonly storage: Pick<Storage<never>, 'transaction'>;
  readonly runtime: Runtime;
  readonly storageClock: StorageClock;
  readonly phones: PhoneNumbers;
  readonly limits: RateLimits;
  readonly buildReply: BuildReply;
}

/** Conflicts of a batch with other processes that bind its keys; each binds one of them for good. */
const MAX_CONFLICTS = 10;

/** How a batch is run: presumed to be new, or looked up. */
type Way = 'optimistic' | LookUpWay;

/** Submits batches. No two calls of a batch may carry the same idempotency key of the same partner key. */
export interface SubmitApplications {
  /** Waits for no longer than a moment: null, and nothing was done, for each call whose key's feed is held longer. */
  withoutBlocking(calls: readonly SubmitCall[]): Promise<readonly (SubmitOutcome | null)[]>;
  /** Waits for the feeds of its keys, one of which should be enough: who waits for one makes the others wait. */
  withRetry(calls: readonly SubmitCall[]): Promise<readonly SubmitOutcome[]>;
}

/**
 * Submits batches: load, decide, commit. All that an accepted submission leaves behind is one commit:
 * application, feed stamp, idempotency record with the stored reply, résumé task and rate count.
 *
 * A batch is presumed to be new while those before were: then nobody looks whether its keys and source ids are
 * taken, since the commit fails if one is. If it does, or a call is not accepted, the batch is looked up after all.
 *
 * The heads of feeds are locked before anything is counted, so that whoever waits for one holds nothing that others
 * need.
 */
export function createSubmitApplications(deps: SubmitDeps): SubmitApplications {
  // Who repeats a submission mostly repeats many, after an outage for example.
  const optimisticMode = createOptimisticMode();

  /** Presumes a batch to be new; where it is not, it is looked up. */
  async function submitOptimistically(
    calls: readonly SubmitCall[],
  ): Promise<readonly (SubmitOutcome | null)[]> {
    let held = true;
    const outcomes = await submit(deps, calls, ['optimistic', 'non_blocking'], () => {
      held = false;
    });
    optimisticMode.note(held);
    return outcomes;
  }

  async function lookUp(calls: readonly SubmitCall[]): Promise<readonly (SubmitOutcome | null)[]> {
    const outcomes = await submit(deps, calls, ['non_blocking']);
    const wereNew = outcomes.every((outcome) => outcome === null || outcome.kind === 'created');
    if (!optimisticMode.isOn()) optimisticMode.note(wereNew);
    return outcomes;
  }

  return {
    withoutBlocking: (calls) =>
      optimisticMode.isOn() && calls.every(isPlain) ? submitOptimistically(calls) : lookUp(calls),
    withRetry: async (calls) => {
      const outcomes = await submit(deps, calls, ['with_retry']);
      return outcomes.map((outcome) => {
        if (outcome === null) throw new Error('Who waits for a feed is not passed over.');
        return outcome;
      });
    },
  };
}

/**
 * Whether a call may be presumed to be new. A large body may not: if its presumption fails, as those of a flood over the
 * limit do, it has been sent to the storage in vain.
 */
function isPlain(call: SubmitCall): boolean {
  return isValid(call) && !call.isLarge;
}

const KEPT_CONFLICTING =
  'Other processes kept binding the same idempotency keys, or the `ids` of the `runtime` repeat themselves.';

/** Runs a batch in the first of these ways, and where that meets a conflict in the next, the last one for good. */
async function submit(
  deps: SubmitDeps,
  calls: readonly SubmitCall[],
  ways: readonly [Way, ...Way[]],
  onConflict: () => void = () => {},
): Promise<readonly (SubmitOutcome | null)[]> {
  for (let conflicts = 0; conflicts < MAX_CONFLICTS; conflicts += 1) {
    const way = ways[Math.min(conflicts, ways.length - 1)] ?? ways[0];
    try {
      return await submitOnce(deps, calls, way);
    } catch (error) {
      if (!(error instanceof BatchConflict)) throw error;
      onConflict();
    }
  }
  // Run one by one, neighbours are spared what only one call's key loses.
  if (calls.length > 1) throw new BatchConflict();
  throw new StorageUnavailable(KEPT_CONFLICTING);
}

/**
 * Runs one transaction, which the storage may begin again. Admission brought a reading of the storage's time. If the body or
 * the batch's turn came a second later, this takes another reading.
 */
async function submitOnce(
  deps: SubmitDeps,
  calls: readonly SubmitCall[],
  way: Way,
): Promise<readonly (SubmitOutcome | null)[]> {
  let isFirstTry = true;
  await deps.storageClock.sync();
  return deps.storage.transaction((tx) => {
    const isFirst = isFirstTry;
    isFirstTry = false;
    if (way === 'optimistic') return submitNew(deps, tx, calls, isFirst);
    return submitBatch(deps, tx, calls, { way, isFirst });
  });
}
