import type { IdempotencyRecord } from '../domain/idempotency.js';
import type { ApplicationId, KeyId } from '../domain/ids.js';
import { foundSecretEnd } from '../domain/partner-key.js';
import type { FoundForSubmission, JobForKey } from '../domain/submission.js';
import type { Instant } from '../domain/time.js';
import type { Repositories } from '../ports/storage.js';
import type { SubmitCall } from './partner-api.js';

export interface LoadedCall {
  readonly call: SubmitCall;
  /** The record of the idempotency key, possibly expired. Null if the key is free. */
  readonly record: IdempotencyRecord | null;
  readonly found: JobForKey | null;
  /** Whether the secret of the request has ended since the request was admitted. */
  readonly hasEnded: boolean;
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
  const found = await findForSubmissions(tx, calls);
  return calls.map((call, index) => ({
    call,
    record: null,
    sourceIdOwner: null,
    ...readFound(found[index]),
  }));
}

export async function loadCalls(
  tx: Repositories,
  calls: readonly SubmitCall[],
): Promise<readonly LoadedCall[]> {
  const [records, found, owners] = await Promise.all([
    findRecords(tx, calls),
    findForSubmissions(tx, calls),
    findSourceIdOwners(tx, calls),
  ]);
  return calls.map((call, index) => ({
    call,
    record: records.get(call) ?? null,
    sourceIdOwner: owners.get(call) ?? null,
    ...readFound(found[index]),
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

/** A call with an invalid body has no job. It may be a replay, so its secret is checked too. */
function findForSubmissions({ jobs }: Repositories, calls: readonly SubmitCall[]) {
  return jobs.findForSubmissions(
    calls.map(({ key: { id: keyId, secretHash }, parsed }) => {
      return { keyId, secretHash, jobId: parsed.kind === 'valid' ? parsed.submission.jobId : '' };
    }),
  );
}

function readFound(found: FoundForSubmission | undefined): Pick<LoadedCall, 'found' | 'hasEnded'> {
  if (found === undefined) throw new Error('The storage must return a row for each submission.');
  const { secret, job } = found;
  return { found: job, hasEnded: secret === null || foundSecretEnd(secret) !== null };
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
