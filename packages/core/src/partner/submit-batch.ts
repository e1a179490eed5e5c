import { type ChargeOutcome, freshRateState, type RateState } from '../domain/rate-limit.js';
import { StorageUnavailable } from '../errors.js';
import type { AcceptedSubmission } from '../ports/repositories/submissions.js';
import type { Runtime } from '../ports/runtime.js';
import type { Repositories, Storage } from '../ports/storage.js';
import type { StorageClock } from '../storage-clock.js';
import { createOptimisticMode } from './optimistic-mode.js';
import type { SubmitCall, SubmitOutcome } from './partner-api.js';
import { chargeEach } from './rate-limit.js';
import {
  addCounted,
  BatchConflict,
  type BuildReply,
  buildRows,
  countAndAdd,
  isAccepted,
} from './submit-commit.js';
import {
  type CountedCall,
  decideOutcomes,
  type JudgeDeps,
  type JudgedCall,
  judgeCall,
} from './submit-judge.js';
import { findRecords, type HeadLock, loadCalls, loadJobs, type Stamps, takeStamps } from './submit-load.js';
import { createUsedUpBuckets, type UsedUpBuckets } from './used-up-buckets.js';

export interface SubmitBatchDeps extends JudgeDeps {
  readonly storage: Pick<Storage<never>, 'transaction' | 'partOf'>;
  readonly runtime: Pick<Runtime, 'ids'>;
  readonly storageClock: StorageClock;
  readonly buildReply: BuildReply;
}

interface BatchDeps extends SubmitBatchDeps {
  readonly usedUp: UsedUpBuckets;
}

/** Submits batches of calls. No two calls of a batch may have the same partner key and idempotency key. */
export interface SubmitBatch {
  /**
   * Waits only briefly for locked feeds. If another transaction still locks a call's feed, the call has no
   * effect and its outcome is null.
   */
  withoutBlocking(calls: readonly SubmitCall[]): Promise<readonly (SubmitOutcome | null)[]>;
  /**
   * Waits for locked feeds. Call it with one key at a time, because a blocked key blocks the whole batch.
   */
  waiting(calls: readonly SubmitCall[]): Promise<readonly SubmitOutcome[]>;
}

type Outcomes = ReadonlyMap<SubmitCall, SubmitOutcome>;

interface Mode {
  readonly lock: HeadLock;
  /** The lock to use when the storage runs the transaction again after contention. */
  readonly lockAgain: HeadLock;
  /**
   * When the batch looks up idempotency keys. `never` assumes that all keys are free. `after_locks` looks them up after
   * the batch has locked the feeds, so that it sees what the previous holder of a lock has committed.
   */
  readonly looksUp: 'never' | 'before_locks' | 'after_locks';
}

const MODES = {
  optimistic: { lock: 'takeSoon', lockAgain: 'takeFree', looksUp: 'never' },
  looked_up: { lock: 'takeSoon', lockAgain: 'takeFree', looksUp: 'before_locks' },
  waiting: { lock: 'take', lockAgain: 'take', looksUp: 'after_locks' },
} as const satisfies Readonly<Record<string, Mode>>;

/**
 * The most conflicts of a batch. Each one means that an idempotency key of the batch was bound meanwhile, so
 * a batch has few.
 */
const MAX_CONFLICTS = 10;

const KEPT_CONFLICTING =
  'The submission conflicted with other processes too often. If this repeats, check that the `ids` of the `runtime` are unique.';

/**
 * Creates batches that commit their submissions in one transaction. If an optimistic batch fails, it runs
 * again with look-ups.
 */
export function createSubmitBatch(options: SubmitBatchDeps): SubmitBatch {
  const deps: BatchDeps = { ...options, usedUp: createUsedUpBuckets() };
  const optimisticMode = createOptimisticMode();

  async function submitWithoutBlocking(calls: readonly SubmitCall[]): Promise<Outcomes> {
    const isOptimistic = optimisticMode.isOn() && calls.every(mayBeOptimistic);
    const { outcomes, conflicts } = await submitWithRetry(
      deps,
      calls,
      isOptimistic ? MODES.optimistic : MODES.looked_up,
      MODES.looked_up,
    );
    const hasConflicted = isOptimistic && conflicts > 0;
    if (isOptimistic || !optimisticMode.isOn()) optimisticMode.note(!hasConflicted && areCreated(outcomes));
    return outcomes;
  }

  return {
    withoutBlocking: async (calls) => {
      const outcomes = await submitWithoutBlocking(calls);
      return calls.map((call) => outcomes.get(call) ?? null);
    },
    waiting: async (calls) => {
      const { outcomes } = await submitWithRetry(deps, calls, MODES.waiting, MODES.waiting);
      return calls.map((call) => {
        const outcome = outcomes.get(call);
        if (outcome === undefined) throw new Error('A waiting batch must return an outcome for each call.');
        return outcome;
      });
    },
  };
}

function areCreated(outcomes: Outcomes): boolean {
  return [...outcomes.values()].every(({ kind }) => kind === 'created');
}

/**
 * Returns whether the call may skip the look-ups. A large body may not: if the call then exceeds the rate limit, the
 * body was sent to the database in vain.
 */
function mayBeOptimistic({ parsed, isLarge }: SubmitCall): boolean {
  return parsed.kind === 'valid' && !isLarge;
}

interface Submitted {
  readonly outcomes: Outcomes;
  /** The number of earlier tries that ended in a conflict. */
  readonly conflicts: number;
}

async function submitWithRetry(
  deps: BatchDeps,
  calls: readonly SubmitCall[],
  first: Mode,
  next: Mode,
): Promise<Submitted> {
  for (let conflicts = 0; conflicts < MAX_CONFLICTS; conflicts += 1) {
    try {
      const outcomes = await submitOnce(deps, calls, conflicts === 0 ? first : next);
      for (const outcome of outcomes.values()) {
        if (outcome.kind !== 'unauthorized') deps.usedUp.note(outcome.rate);
      }
      return { outcomes, conflicts };
    } catch (error) {
      if (!(error instanceof BatchConflict)) throw error;
    }
  }
  // After this error, the batcher runs each call alone, so that one contested key does not fail the other
  // calls.
  if (calls.length > 1) throw new BatchConflict();
  throw new StorageUnavailable(KEPT_CONFLICTING);
}

async function submitOnce(deps: BatchDeps, calls: readonly SubmitCall[], mode: Mode): Promise<Outcomes> {
  let { lock } = mode;
  // Admission already set the storage clock, but a second may have passed since then.
  await deps.storageClock.sync();
  return deps.storage.transaction((tx) => {
    const locks = lock;
    lock = mode.lockAgain;
    return mode.looksUp === 'never'
      ? runOptimistic(deps, tx, calls, locks)
      : runLookedUp(deps, tx, calls, { mode, lock: locks, taken: null });
  });
}

/**
 * Assumes that the idempotency keys are free. Takes two round trips: one for stamps and jobs, one for rows and commit.
 * If a bucket is known to be used up, looks up and counts before it adds rows. Otherwise, the statement would fail and
 * leave an error in the log of the database.
 */
async function runOptimistic(
  deps: BatchDeps,
  tx: Repositories,
  calls: readonly SubmitCall[],
  lock: HeadLock,
): Promise<Outcomes> {
  const now = deps.storageClock.now();
  const [stamps, loaded] = await Promise.all([takeStamps(tx, lock, calls, now), loadJobs(tx, calls)]);
  if (loaded.some(({ hasEnded }) => hasEnded)) throw new BatchConflict();
  const assumed = loaded
    .filter(({ call }) => stamps.has(call.key.id))
    .map((each) => {
      const judged = judgeCall(deps, each, now);
      return { ...judged, charge: assumeAllowed(judged, now), isBoundMeanwhile: false };
    });
  if (assumed.some(({ bucket }) => deps.usedUp.has(bucket, now))) {
    return runLookedUp(deps, tx, calls, { mode: MODES.optimistic, lock, taken: stamps });
  }
  const accepted = decideOutcomes(assumed, deps.runtime.ids).filter(isAccepted);
  if (accepted.length < assumed.length) throw new BatchConflict();

  const counted = await countAndAdd(tx, buildRows(accepted, stamps, deps.buildReply, now));
  return new Map(counted.map(({ call, rows, charge }) => [call, createdOutcome(rows, charge.state)]));
}

function createdOutcome({ application, idempotency }: AcceptedSubmission, rate: RateState): SubmitOutcome {
  return { kind: 'created', applicationId: application.id, reply: idempotency.reply, rate };
}

function assumeAllowed({ bucket }: JudgedCall, now: number): ChargeOutcome {
  return { allowed: true, isRepeatedRefusal: false, state: freshRateState(bucket, now) };
}

interface LookUp {
  readonly mode: Mode;
  readonly lock: HeadLock;
  /** The stamps of all calls, if the transaction has them. */
  readonly taken: Stamps | null;
}

/**
 * Takes four round trips: look-ups, stamps, counts, and rows with the commit. A waiting batch takes stamps first, so
 * that it sees what the previous holder of the lock has committed. It locks feeds before counters, so that it locks no
 * counter while it waits for a feed.
 */
async function runLookedUp(
  deps: SubmitBatchDeps,
  tx: Repositories,
  calls: readonly SubmitCall[],
  { mode, lock, taken }: LookUp,
): Promise<Outcomes> {
  const now = deps.storageClock.now();
  const [early, loaded] = await Promise.all([
    taken ?? (mode.looksUp === 'after_locks' ? takeStamps(tx, lock, calls.filter(isValid), now) : null),
    loadCalls(tx, calls),
  ]);
  const judged = loaded.filter(({ hasEnded }) => !hasEnded).map((each) => judgeCall(deps, each, now));
  const eligible = judged.filter(isEligible).map(({ call }) => call);
  const stamps = early ?? (await takeStamps(tx, lock, eligible, now));
  const unblocked = judged.filter((each) => !isEligible(each) || stamps.has(each.call.key.id));

  const decided = decideOutcomes(await countAndRecheck(tx, unblocked), deps.runtime.ids);
  const wasReplay = decided.some(
    ({ outcome, isBoundMeanwhile }) => outcome.kind === 'refused' && isBoundMeanwhile,
  );
  if (wasReplay) throw new BatchConflict();

  const accepted = buildRows(decided.filter(isAccepted), stamps, deps.buildReply, now);
  await addCounted(tx, accepted);
  const outcomes = new Map<SubmitCall, SubmitOutcome>();
  for (const { call, hasEnded } of loaded) if (hasEnded) outcomes.set(call, { kind: 'unauthorized' });
  for (const { call, outcome } of decided) if (outcome.kind !== 'accepted') outcomes.set(call, outcome);
  for (const { call, outcome, rows } of accepted) {
    outcomes.set(call, createdOutcome(rows, outcome.rate));
  }
  return outcomes;
}

function isValid({ parsed }: SubmitCall): boolean {
  return parsed.kind === 'valid';
}

function isEligible({ judgement }: JudgedCall): boolean {
  return judgement.kind === 'eligible';
}

/**
 * Counts the calls, then looks them up again. Counting waits for a concurrent commit, so the look-up finds
 * the record to replay.
 */
async function countAndRecheck(
  tx: Repositories,
  judged: readonly JudgedCall[],
): Promise<readonly CountedCall[]> {
  const mayBeBound = judged.filter(({ call, judgement }) => isValid(call) && judgement.kind !== 'replay');
  const [counted, records] = await Promise.all([
    chargeEach((charges) => tx.rateWindows.charge(charges), judged),
    findRecords(
      tx,
      mayBeBound.map(({ call }) => call),
    ),
  ]);
  return counted.map((each) => {
    const record = records.get(each.call);
    const isBoundMeanwhile = record !== undefined && record?.applicationId !== each.record?.applicationId;
    return { ...each, isBoundMeanwhile };
  });
}
