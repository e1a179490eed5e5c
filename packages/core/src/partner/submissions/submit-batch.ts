import type { IdempotencyRecord } from '../../domain/idempotency.js';
import type { Instant } from '../../domain/time.js';
import type { Repositories } from '../../ports/storage.js';
import type { SubmitCall, SubmitOutcome } from '../partner-api.js';
import { acceptSubmissions } from './accept-submissions.js';
import { countJudgements } from './count-judgements.js';
import { type Acceptance, decideOutcomes } from './decide-outcomes.js';
import { type JudgeDeps, type Judgement, judgeSubmission } from './judge-submissions.js';
import { findRecords, isValid, type LoadedSubmissions, loadSubmissions } from './load-submissions.js';
import {
  type Accepted,
  BatchConflict,
  type BatchDeps,
  type BatchOutcomes,
  outcomesOf,
  pairAccepted,
} from './submission-batch.js';
import { type Stamps, type Try, takeStamps } from './take-stamps.js';

/**
 * Runs a batch in its transaction: load, decide, commit.
 *
 * @throws BatchConflict - the transaction must be rolled back, and the batch looked up again.
 */
export async function submitBatch(
  deps: BatchDeps,
  tx: Repositories,
  calls: readonly SubmitCall[],
  thisTry: Try,
): Promise<BatchOutcomes> {
  const now = deps.storageClock.now();
  const takeFor = (some: readonly SubmitCall[]) => takeStamps(tx, thisTry, some, now);
  const loaded = await loadSubmissions(tx, calls, thisTry.way, takeFor);

  const judged = judgeEach(deps, calls, loaded, now);
  const stamps = loaded.stamps ?? (await takeFor(judged.filter(isEligible).map(callOf)));
  const kept = judged.filter((each) => !isEligible(each) || stamps.has(each.call.key.id));
  const decided = decideOutcomes(await countJudgements(tx, kept), loaded.owners, deps.runtime.ids);
  const refused = kept.filter((_, index) => decided[index]?.kind === 'refused');
  if (await anyBoundMeanwhile(tx, refused)) throw new BatchConflict();

  const acceptances = decided.filter((outcome): outcome is Acceptance => outcome.kind === 'accepted');
  const accepted = await commit(deps, tx, acceptances, stamps, now);
  return outcomesOf(calls, kept.map(callOf), replyToEach(decided, accepted));
}

/** A call with what was found out of it. */
interface Judged {
  readonly call: SubmitCall;
  readonly record: IdempotencyRecord | null;
  readonly judgement: Judgement;
}

function judgeEach(
  deps: JudgeDeps,
  calls: readonly SubmitCall[],
  { records, jobs }: LoadedSubmissions,
  now: Instant,
): readonly Judged[] {
  return calls.map((call, index) => {
    const record = records[index] ?? null;
    const found = jobs[index] ?? null;
    return { call, record, judgement: judgeSubmission(deps, call, { record, found }, now) };
  });
}

function isEligible({ judgement }: Judged): boolean {
  return judgement.kind === 'eligible';
}

function callOf({ call }: Judged): SubmitCall {
  return call;
}

/**
 * Whether another process has bound a key since its record was looked up. A replay comes before every other
 * check, but between the look-up and, say, the count, the very same submission may have been accepted
 * elsewhere and taken the last place. Who waited for that commit sees the record of it now.
 */
async function anyBoundMeanwhile(tx: Repositories, refused: readonly Judged[]): Promise<boolean> {
  const valid = refused.filter(({ call }) => isValid(call));
  if (valid.length === 0) return false;
  const records = await findRecords(tx, valid.map(callOf));
  return valid.some(({ record }, index) => records[index]?.applicationId !== record?.applicationId);
}

/** Builds and adds what the acceptances leave behind. @throws BatchConflict if one of their keys is taken. */
async function commit(
  { buildReply }: BatchDeps,
  tx: Repositories,
  acceptances: readonly Acceptance[],
  stamps: Stamps,
  now: Instant,
): Promise<readonly Accepted[]> {
  const submissions = acceptSubmissions(acceptances, stamps.next, buildReply, now);
  if (submissions.length > 0 && (await tx.submissions.add(submissions)) === 'conflict')
    throw new BatchConflict();
  return pairAccepted(acceptances, submissions);
}

/** The outcomes in their order, an acceptance as the 201 that was stored. */
function replyToEach(
  decided: ReturnType<typeof decideOutcomes>,
  accepted: readonly Accepted[],
): readonly SubmitOutcome[] {
  const stored = accepted.values();
  return decided.map((outcome): SubmitOutcome => {
    if (outcome.kind !== 'accepted') return outcome;
    const next = stored.next().value;
    if (next === undefined) throw new Error('Every acceptance was committed.');
    return { kind: 'created', reply: next.submission.idempotency.reply, rate: outcome.rate };
  });
}
