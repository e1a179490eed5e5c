import type { IdempotencyRecord } from '../domain/idempotency.js';
import type { ApplicationId, KeyId } from '../domain/ids.js';
import type { JobForKey } from '../domain/submission.js';
import type { Instant } from '../domain/time.js';
import type { Repositories } from '../ports/storage.js';
import type { SubmitCall } from './partner-api.js';

export interface LoadedCall {
  readonly call: SubmitCall;
  /** The record of the idempotency key, possibly expired. Null if the key is free. */
  readonly record: IdempotencyRecord | null;
  readonly found: JobForKey | null;
  readonly sourceIdOwner: ApplicationId | null;
}

export interface Stamps {
  /** Returns false if another transaction locks the key's feed. */
  has(keyId: KeyId): boolean;
  next(keyId: KeyId): Instant;
}

/**
 * How to lock a feed. `take` waits. `takeSoon` begins the transaction again after 100 ms. `takeFree` skips
 * locked feeds.
 */
export type HeadLock = 'take' | 'takeSoon' | 'takeFree';

/**
 * Locks each key's feed until the commit, and takes stamps: the next positions in the feed. Some stamps may stay
 * unused.
 */
export async function takeStamps(
  { feed }: Pick<Repositories, 'feed'>,
  lock: HeadLock,
  calls: readonly SubmitCall[],
  now: Instant,
): Promise<Stamps> {
  const counts = new Map<KeyId, number>();
  for (const { key } of calls) counts.set(key.id, (counts.get(key.id) ?? 0) + 1);
  const requests = [...counts].map(([keyId, count]) => ({ keyId, count, withoutEvents: true }));
  const ranges = requests.length === 0 ? [] : await feed[lock](requests, now);
  const next = new Map<KeyId, Instant>();
  for (const range of ranges) if (range !== null) next.set(range.keyId, range.first);
  return {
    has: (keyId) => next.has(keyId),
    next: (keyId) => {
      const stamp = next.get(keyId);
      if (stamp === undefined) throw new Error('The storage must return a stamp for each key.');
      next.set(keyId, stamp + 1);
      return stamp;
    },
  };
}

export async function loadJobs(
  tx: Repositories,
  calls: readonly SubmitCall[],
): Promise<readonly LoadedCall[]> {
  const jobs = await findJobs(tx, calls);
  return calls.map((call) => ({ call, record: null, found: jobs.get(call) ?? null, sourceIdOwner: null }));
}

export async function loadCalls(
  tx: Repositories,
  calls: readonly SubmitCall[],
): Promise<readonly LoadedCall[]> {
  const [records, jobs, owners] = await Promise.all([
    findRecords(tx, calls),
    findJobs(tx, calls),
    findSourceIdOwners(tx, calls),
  ]);
  return calls.map((call) => ({
    call,
    record: records.get(call) ?? null,
    found: jobs.get(call) ?? null,
    sourceIdOwner: owners.get(call) ?? null,
  }));
}

export async function findRecords(
  { submissions }: Pick<Repositories, 'submissions'>,
  calls: readonly SubmitCall[],
): Promise<ReadonlyMap<SubmitCall, IdempotencyRecord | null>> {
  if (calls.length === 0) return new Map();
  const records = await submissions.findRecords(
    calls.map(({ key, idempotencyKey }) => ({ keyId: key.id, idempotencyKey })),
  );
  return new Map(calls.map((call, index) => [call, records[index] ?? null]));
}

async function findJobs(
  { jobs }: Repositories,
  calls: readonly SubmitCall[],
): Promise<ReadonlyMap<SubmitCall, JobForKey | null>> {
  const wanted = calls.flatMap((call) =>
    call.parsed.kind === 'valid' ? [{ call, jobId: call.parsed.submission.jobId }] : [],
  );
  if (wanted.length === 0) return new Map();
  const found = await jobs.findForKeys(wanted.map(({ call, jobId }) => ({ keyId: call.key.id, jobId })));
  return new Map(wanted.map(({ call }, index) => [call, found[index] ?? null]));
}

async function findSourceIdOwners(
  { applications }: Repositories,
  calls: readonly SubmitCall[],
): Promise<ReadonlyMap<SubmitCall, ApplicationId | null>> {
  const wanted = calls.flatMap((call) => {
    const sourceApplicationId = call.parsed.kind === 'valid' && call.parsed.submission.sourceApplicationId;
    return sourceApplicationId ? [{ call, sourceApplicationId }] : [];
  });
  if (wanted.length === 0) return new Map();
  const owners = await applications.findBySourceIds(
    wanted.map(({ call, sourceApplicationId }) => ({ keyId: call.key.id, sourceApplicationId })),
  );
  return new Map(wanted.map(({ call }, index) => [call, owners[index]?.id ?? null]));
}
