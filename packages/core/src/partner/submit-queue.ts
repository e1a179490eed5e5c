import { createBatcher } from '../batcher.js';
import { getOrAdd } from '../domain/get-or-add.js';
import { SECOND_MS } from '../domain/time.js';
import type { Clock } from '../ports/runtime.js';
import { createBatcherByKey } from './batcher-by-key.js';
import { createIdempotencyLock } from './idempotency-lock.js';
import type { PartnerApi, SubmitCall, SubmitOutcome } from './partner-api.js';
import { createSubmitBatch, type SubmitBatchDeps } from './submit-batch.js';
import { BatchConflict } from './submit-commit.js';

export interface SubmitQueueDeps extends SubmitBatchDeps {
  readonly runtime: SubmitBatchDeps['runtime'] & { readonly clock: Clock };
  readonly chargeGuard: PartnerApi['chargeGuard'];
  readonly onResumeSubmitted: () => void;
  readonly onBatch: (size: number) => void;
  readonly onBroken: (size: number, err: unknown) => void;
}

/** Limits how long a batch's transaction holds the only writer of SQLite. */
const MAX_SUBMISSIONS = 128;

/**
 * How many blocked keys may have a transaction at once. The host's connection pool must be larger than this.
 */
const MAX_BLOCKED_KEYS = 4;
/**
 * How long a further blocked key may wait until one of these transactions is free. Together with the wait in its own
 * transaction, that is about fifteen seconds.
 */
const MAX_BLOCKED_WAIT_MS = 5 * SECOND_MS;

/** Requests with the same idempotency key run one at a time. */
export function createSubmitApplication(deps: SubmitQueueDeps): PartnerApi['submitApplication'] {
  const { runtime, chargeGuard } = deps;
  const submit = createQueues(deps);
  const withLock = createIdempotencyLock<SubmitOutcome>(
    runtime.clock,
    ({ kind }) => kind === 'created' || kind === 'replayed',
  );

  return async (call) => {
    const { key, idempotencyKey } = call;
    const outcome = await withLock(`${key.id}:${idempotencyKey}`, () => submit(call));
    if (outcome?.kind === 'refused' && outcome.isRepeated === true) await chargeGuard(key);
    if (outcome !== null) return outcome;
    const { allowed, state } = await chargeGuard(key);
    const code = allowed ? 'IDEMPOTENCY_KEY_IN_PROGRESS' : 'RATE_LIMITED';
    return { kind: 'refused', error: { code }, rate: state };
  };
}

/**
 * Creates the queues for submissions, one for each part of the storage. While another transaction locks the feed of a
 * key, the key gets a queue of its own, so that other keys do not wait.
 */
function createQueues(deps: SubmitQueueDeps): (call: SubmitCall) => Promise<SubmitOutcome> {
  const { runtime, storage, onResumeSubmitted, onBatch } = deps;
  const batches = createSubmitBatch(deps);
  const onBroken = (size: number, err: unknown) => {
    if (!(err instanceof BatchConflict)) deps.onBroken(size, err);
  };
  const options = { maxBatch: MAX_SUBMISSIONS, gathers: true, onBatch, onBroken };
  const sharedQueues = new Map<number, (call: SubmitCall) => Promise<SubmitOutcome | null>>();
  const sharedQueueOf = (part: number) =>
    getOrAdd(sharedQueues, part, () =>
      createBatcher(reportResumes(batches.withoutBlocking, onResumeSubmitted), options),
    );
  const blockedKeys = createBatcherByKey(reportResumes(batches.waiting, onResumeSubmitted), {
    ...options,
    maxBatches: MAX_BLOCKED_KEYS,
    maxWaitMs: MAX_BLOCKED_WAIT_MS,
    clock: runtime.clock,
  });
  return async (call) => {
    const { id } = call.key;
    const outcome = blockedKeys.has(id) ? null : await sharedQueueOf(storage.partOf?.(id) ?? 0)(call);
    return outcome ?? blockedKeys.add(id, call);
  };
}

function reportResumes<Outcome extends SubmitOutcome | null>(
  submitAll: (calls: readonly SubmitCall[]) => Promise<readonly Outcome[]>,
  onResumeSubmitted: () => void,
) {
  return async (calls: readonly SubmitCall[]) => {
    const outcomes = await submitAll(calls);
    if (calls.some((call, index) => leavesResume(call, outcomes[index]))) onResumeSubmitted();
    return outcomes;
  };
}

function leavesResume({ parsed }: SubmitCall, outcome: SubmitOutcome | null | undefined): boolean {
  return outcome?.kind === 'created' && parsed.kind === 'valid' && parsed.submission.resumeUrl !== null;
}
