import { freshRateState, keyBucket, shareCharge } from '../../domain/rate-limit.js';
import type { AddPresumed } from '../../ports/presumed-submission.js';
import type { KeyOfSecret } from '../../ports/repositories/keys.js';
import { isPresumable } from '../callers.js';
import type { CreatedOutcome, SubmitCall } from '../partner-api.js';
import { acceptSubmissions } from './accept-submissions.js';
import { createSourceIdOwners, decideOutcomes } from './decide-outcomes.js';
import { judgeSubmission } from './judge-submissions.js';
import type { SubmissionMemory } from './submission-memory.js';
import type { SubmitDeps } from './submit-applications.js';

/** What submitting in one step needs. */
export interface PresumedDeps extends SubmitDeps {
  readonly memory: SubmissionMemory;
  readonly addPresumed: AddPresumed;
}

/**
 * Submits in one step: judged by what is remembered, by the rules of a batch and at the stamp that is
 * expected, then added if the storage finds that all of it is so. Null: it was not, or is no plain acceptance.
 * Nothing was done or counted then, and only a batch, behind the caller's admission, has the answer.
 */
export async function submitPresumed(
  deps: PresumedDeps,
  caller: KeyOfSecret,
  call: SubmitCall,
): Promise<CreatedOutcome | null> {
  const { memory, limits } = deps;
  const now = deps.runtime.clock.now();
  if (call.parsed.kind !== 'valid' || !isPresumable(caller, now)) return null;
  const pair = { keyId: call.key.id, jobId: call.parsed.submission.jobId };
  const remembered = memory.find(pair, now);
  if (remembered === null) return null;
  const { found, stamp } = remembered;

  const judgement = judgeSubmission(deps, call, { record: null, found }, now);
  const rate = freshRateState(judgement.bucket, now);
  const [outcome] = decideOutcomes(
    [{ call, judgement, charge: null, rate }],
    createSourceIdOwners(),
    deps.runtime.ids,
  );
  if (outcome?.kind !== 'accepted') return null;
  const [submission] = acceptSubmissions([outcome], () => stamp, deps.composeReply, now);
  if (submission === undefined) throw new Error('Every acceptance is built.');

  const { bucket } = judgement;
  const guard = keyBucket('guard', pair.keyId, limits);
  const counted = await deps.addPresumed({ caller, found, guard, bucket, submission });
  if (counted === null) {
    memory.forget(pair);
    return null;
  }
  memory.learn(pair.keyId, found, stamp);
  const [charge] = shareCharge(bucket, 1, counted);
  return { kind: 'created', reply: submission.idempotency.reply, rate: charge?.state ?? rate };
}
