import { type Bucket, type ChargeOutcome, freshRateState } from '../../domain/rate-limit.js';
import type { Instant } from '../../domain/time.js';
import type { Repositories } from '../../ports/storage.js';
import { chargeBucketsBy } from '../charge.js';
import type { SubmitCall, SubmitOutcome } from '../partner-api.js';
import { acceptSubmissions } from './accept-submissions.js';
import { type Acceptance, createSourceIdOwners, decideOutcomes } from './decide-outcomes.js';
import { judgeSubmission } from './judge-submissions.js';
import { findJobs } from './load-submissions.js';
import {
  type Accepted,
  BatchConflict,
  type BatchDeps,
  type BatchOutcomes,
  outcomesOf,
  pairAccepted,
} from './submission-batch.js';
import { takeStamps } from './take-stamps.js';

/**
 * Runs a batch in its transaction that is presumed to be new, and within its limits: nobody looks whether its keys and
 * source ids are taken. Once it is judged, all that is left goes to the storage in one step, which finds out.
 *
 * @throws BatchConflict if it was not so, or one of its calls is not accepted: the transaction must be rolled back, and
 *   the batch looked up.
 */
export async function submitNew(
  deps: BatchDeps,
  tx: Repositories,
  calls: readonly SubmitCall[],
  isFirst: boolean,
): Promise<BatchOutcomes> {
  const now = deps.storageClock.now();
  const [stamps, jobs] = await Promise.all([
    takeStamps(tx, { way: 'non_blocking', isFirst }, calls, now),
    findJobs(tx, calls),
  ]);
  const judged = calls.flatMap((call, index) => {
    if (!stamps.has(call.key.id)) return [];
    const facts = { record: null, found: jobs[index] ?? null };
    const judgement = judgeSubmission(deps, call, facts, now);
    return { call, judgement, charge: uncounted(judgement.bucket, now) };
  });
  const decided = decideOutcomes(judged, createSourceIdOwners(), deps.runtime.ids);
  const acceptances = decided.map((outcome): Acceptance => {
    if (outcome.kind !== 'accepted') throw new BatchConflict();
    return outcome;
  });
  const submissions = acceptSubmissions(acceptances, stamps.next, deps.buildReply, now);
  const outcomes = await commit(tx, pairAccepted(acceptances, submissions));
  return outcomesOf(
    calls,
    judged.map(({ call }) => call),
    outcomes,
  );
}

/** Stands for a count that is yet to be made, and is expected to be within the limit. */
function uncounted(bucket: Bucket, now: Instant): ChargeOutcome {
  return { allowed: true, isRepeatedRefusal: false, state: freshRateState(bucket, now) };
}

/** Counts and adds in one step; each as it was counted. @throws BatchConflict if that cannot be. */
async function commit(tx: Repositories, accepted: readonly Accepted[]): Promise<readonly SubmitOutcome[]> {
  const buckets = accepted.map(({ acceptance }) => acceptance.eligible.bucket);
  const submissions = accepted.map(({ submission }) => submission);
  const charges = await chargeBucketsBy(async (limited) => {
    const counts = await tx.submissions.chargeAndAdd(limited, submissions);
    if (counts === 'conflict') throw new BatchConflict();
    return counts;
  }, buckets);
  return accepted.map(({ submission }, index) => {
    const rate = charges[index]?.state;
    if (rate === undefined) throw new Error('Every submission was counted.');
    return { kind: 'created', reply: submission.idempotency.reply, rate };
  });
}
