import type { IdempotencyRecord } from '../domain/idempotency.js';
import type { RateLimits } from '../domain/rate-limit.js';
import { StorageUnavailable } from '../errors.js';
import type { PhoneNumbers } from '../ports/phone-numbers.js';
import type { FeedRepository } from '../ports/repositories/feed.js';
import type { AcceptedSubmission } from '../ports/repositories/submissions.js';
import type { Repositories } from '../ports/repositories.js';
import type { Runtime } from '../ports/runtime.js';
import type { Storage } from '../ports/storage.js';
import { acceptSubmissions, type ComposeReply, takeStamps } from './accept-submissions.js';
import { chargeBuckets, readBuckets } from './charge.js';
import {
  type Acceptance,
  type CountedJudgement,
  createSourceIdOwners,
  decideOutcomes,
} from './decide-outcomes.js';
import { type Judgement, judgeSubmission } from './judge-submissions.js';
import { findJobs, findRecords, loadSourceIdOwners } from './load-submissions.js';
import type { SubmitCall, SubmitOutcome } from './partner-api.js';
import type { SubmissionMemory } from './submission-memory.js';

/** What submitting needs. */
export interface SubmitDeps {
  readonly storage: Pick<Storage<never>, 'transaction'>;
  readonly runtime: Runtime;
  readonly phones: PhoneNumbers;
  readonly limits: RateLimits;
  readonly composeReply: ComposeReply;
  /** What accepted submissions were judged by; null where nobody asks for it. */
  readonly memory: SubmissionMemory | null;
}

/** Looks of a batch against other processes that bind its keys; each loss binds one of them for good. */
const MAX_CONFLICTS = 10;

/** A key or a source id of the batch was bound without our having seen it: since we looked, or for want of a look. */
class BatchConflict extends Error {
  override readonly name = 'BatchConflict';
}

/** Submits batches. No two calls of a batch may carry the same idempotency key of the same partner key. */
export interface SubmitApplications {
  /** Waits for no longer than a moment: null, and nothing was done, for each call whose key's feed is held longer. */
  promptly(calls: readonly SubmitCall[]): Promise<readonly (SubmitOutcome | null)[]>;
  /** Waits for the feeds of its keys, one of which should be enough: who waits for one makes the others wait. */
  patiently(calls: readonly SubmitCall[]): Promise<readonly SubmitOutcome[]>;
}

/**
 * Submits batches: load, decide, commit. All that an accepted submission leaves behind is one commit:
 * application, feed stamp, idempotency record with the stored reply, résumé task and rate count.
 *
 * A batch is presumed to be new after one that was: then nobody looks whether its keys and source ids are
 * taken, since the commit fails if one is. If it does, or a call is not accepted, the batch is looked up after all.
 *
 * The heads of feeds are locked before anything is counted, so that whoever waits for one holds nothing that others
 * need.
 */
export function createSubmitApplications(deps: SubmitDeps): SubmitApplications {
  // Who repeats a submission mostly repeats many, after an outage for example.
  let wereNew = true;
  return {
    promptly: async (calls) => {
      const areNew = wereNew && calls.every(isValid);
      const outcomes = await submit(deps, calls, areNew ? ['presumed_new', 'prompt'] : ['prompt']);
      wereNew = outcomes.every((outcome) => outcome === null || outcome.kind === 'created');
      return outcomes;
    },
    patiently: async (calls) => {
      const outcomes = await submit(deps, calls, ['patient']);
      return outcomes.map((outcome) => {
        if (outcome === null) throw new Error('Who waits for a feed is not passed over.');
        return outcome;
      });
    },
  };
}

/** How a batch is run: presumed to be new, looked up without waiting for a feed, or looked up behind the wait. */
type Manner = 'presumed_new' | 'prompt' | 'patient';

/**
 * How the heads are taken. At the first try all of them, within a moment: mostly it is another process's batch that
 * has one. When that has passed, the transaction is begun again, and takes those that are free.
 */
type Take = FeedRepository['takeFree'];

/** Runs a batch in the first of these manners, and where that meets a conflict in the next, the last one for good. */
async function submit(
  deps: SubmitDeps,
  calls: readonly SubmitCall[],
  manners: readonly [Manner, ...Manner[]],
): Promise<readonly (SubmitOutcome | null)[]> {
  for (let round = 0; round < MAX_CONFLICTS; round += 1) {
    const manner = manners[Math.min(round, manners.length - 1)] ?? manners[0];
    let isFirstTry = true;
    try {
      const { outcomes, acceptances, accepted } = await deps.storage.transaction((tx) => {
        const take = takeFor(tx, manner, isFirstTry);
        isFirstTry = false;
        return submitWithin(deps, tx, calls, manner, take);
      });
      for (const [index, { eligible, call }] of acceptances.entries()) {
        deps.memory?.learn(call.key.id, eligible.found, at(accepted, index).application.changedAt);
      }
      return outcomes;
    } catch (error) {
      if (!(error instanceof BatchConflict)) throw error;
    }
  }
  // Run one by one, neighbours are spared what only one call's key loses.
  if (calls.length > 1) throw new BatchConflict();
  throw new StorageUnavailable('Other processes kept binding the same idempotency keys.');
}

/** What became of a batch. */
interface Submitted {
  /** Null for what was passed over. */
  readonly outcomes: readonly (SubmitOutcome | null)[];
  readonly acceptances: readonly Acceptance[];
  /** What each acceptance left behind. */
  readonly accepted: readonly AcceptedSubmission[];
}

async function submitWithin(
  deps: SubmitDeps,
  tx: Repositories,
  calls: readonly SubmitCall[],
  manner: Manner,
  take: Take,
): Promise<Submitted> {
  const now = deps.runtime.clock.now();
  const areNew = manner === 'presumed_new';
  // Everything that is looked up goes out together. A prompt batch judges first, and takes the heads of those it may
  // accept; the others take all of them in front: who waited for one sees what was committed meanwhile.
  const [early, records, jobs, owners] = await Promise.all([
    manner === 'prompt' ? null : takeStamps(take, calls.filter(isValid), now),
    areNew ? calls.map(() => null) : findRecords(tx, calls),
    findJobs(tx, calls),
    areNew ? createSourceIdOwners() : loadSourceIdOwners(tx, calls),
  ]);
  const judged = calls.map((call, index): Judged => {
    const record = records[index] ?? null;
    return {
      call,
      record,
      judgement: judgeSubmission(deps, call, { record, found: jobs[index] ?? null }, now),
    };
  });
  const stamps = early ?? (await takeStamps(take, judged.filter(isEligible).map(callOf), now));
  const kept = judged.filter((each) => !isEligible(each) || stamps.has(each.call.key.id));

  const decided = decideOutcomes(await count(tx, kept), owners, deps.runtime.ids);
  const refused = kept.filter((_, index) => at(decided, index).kind === 'refused');
  if (areNew ? refused.length > 0 : await anyBoundMeanwhile(tx, refused)) throw new BatchConflict();
  const acceptances = decided.filter((outcome): outcome is Acceptance => outcome.kind === 'accepted');
  const accepted = acceptSubmissions(acceptances, stamps.next, deps.composeReply, now);
  if (accepted.length > 0 && (await tx.submissions.add(accepted)) === 'conflict') throw new BatchConflict();
  return {
    outcomes: toOutcomes(calls, kept.map(callOf), replyToEach(decided, accepted)),
    acceptances,
    accepted,
  };
}

/** A call with what was found out of it. */
interface Judged {
  readonly call: SubmitCall;
  readonly record: IdempotencyRecord | null;
  readonly judgement: Judgement;
}

function isValid({ parsed }: SubmitCall): boolean {
  return parsed.kind === 'valid';
}

function isEligible({ judgement }: Judged): boolean {
  return judgement.kind === 'eligible';
}

function callOf({ call }: Judged): SubmitCall {
  return call;
}

function takeFor({ feed }: Repositories, manner: Manner, isFirstTry: boolean): Take {
  if (manner === 'patient') return (requests, now) => feed.take(requests, now);
  const how = isFirstTry ? 'takeSoon' : 'takeFree';
  return (requests, now) => feed[how](requests, now);
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

/** Counts each submission in its bucket; a replay only looks. */
async function count(tx: Repositories, judged: readonly Judged[]): Promise<readonly CountedJudgement[]> {
  const charged = judged.map(({ judgement: { kind, bucket } }) => (kind === 'replay' ? null : bucket));
  const looked = judged.map(({ judgement: { kind, bucket } }) => (kind === 'replay' ? bucket : null));
  const [charges, rates] = await Promise.all([
    chargeBuckets(tx.rateWindows, charged),
    readBuckets(tx.rateWindows, looked),
  ]);
  return judged.map(({ call, judgement }, index) => {
    const charge = charges[index] ?? null;
    const rate = charge?.state ?? rates[index];
    if (rate === null || rate === undefined) throw new Error('Every submission has a bucket.');
    return { call, judgement, charge, rate };
  });
}

/** The outcomes in their order, an acceptance as the 201 that was stored. */
function replyToEach(
  decided: ReturnType<typeof decideOutcomes>,
  accepted: readonly AcceptedSubmission[],
): readonly SubmitOutcome[] {
  const stored = accepted.values();
  return decided.map((outcome): SubmitOutcome => {
    if (outcome.kind !== 'accepted') return outcome;
    const submission = stored.next().value;
    if (submission === undefined) throw new Error('Every acceptance was committed.');
    return { kind: 'created', reply: submission.idempotency.reply, rate: outcome.rate };
  });
}

/** The outcome of each call, null for those that were not kept. */
function toOutcomes(
  calls: readonly SubmitCall[],
  kept: readonly SubmitCall[],
  outcomes: readonly SubmitOutcome[],
): readonly (SubmitOutcome | null)[] {
  if (kept.length === calls.length) return outcomes;
  const found = new Map(kept.map((call, index) => [call, at(outcomes, index)]));
  return calls.map((call) => found.get(call) ?? null);
}

function at<T>(values: readonly T[], index: number): T {
  const value = values[index];
  if (value === undefined) throw new Error('The storage must answer each call of a batch.');
  return value;
}
