import type { IdempotencyRecord } from '../../domain/idempotency.js';
import type { JobForKey } from '../../domain/submission.js';
import type { Repositories } from '../../ports/storage.js';
import type { SubmitCall } from '../partner-api.js';
import { createSourceIdOwners, type SourceIdOwners } from './decide-outcomes.js';
import type { LookUpWay, Stamps } from './take-stamps.js';

/** What a batch is judged by; the lists are in the order of its calls. */
export interface LoadedSubmissions {
  /** Null if they are taken later. */
  readonly stamps: Stamps | null;
  /** Null where a key is free. */
  readonly records: readonly (IdempotencyRecord | null)[];
  readonly jobs: readonly (JobForKey | null)[];
  readonly owners: SourceIdOwners;
}

/**
 * Everything that is looked up for a batch goes out together. A prompt batch judges first, and takes the heads of those
 * it may accept: its `stamps` are null here. A patient one takes all of them in front: who waited for one sees what was
 * committed meanwhile.
 */
export async function loadSubmissions(
  tx: Repositories,
  calls: readonly SubmitCall[],
  way: LookUpWay,
  takeFor: (calls: readonly SubmitCall[]) => Promise<Stamps>,
): Promise<LoadedSubmissions> {
  const [stamps, records, jobs, owners] = await Promise.all([
    way === 'non_blocking' ? null : takeFor(calls.filter(isValid)),
    findRecords(tx, calls),
    findJobs(tx, calls),
    loadSourceIdOwners(tx, calls),
  ]);
  return { stamps, records, jobs, owners };
}

/** Whether a call's fields are right, so that the rest of it is worth a look. */
export function isValid({ parsed }: SubmitCall): boolean {
  return parsed.kind === 'valid';
}

/** The record that binds each call's key, expired or not, or null. */
export function findRecords(
  tx: Repositories,
  calls: readonly SubmitCall[],
): Promise<readonly (IdempotencyRecord | null)[]> {
  return tx.submissions.findRecords(
    calls.map(({ key, idempotencyKey }) => ({ keyId: key.id, idempotencyKey })),
  );
}

/** The job of each call, null also where the body is not valid. */
export async function findJobs(
  tx: Repositories,
  calls: readonly SubmitCall[],
): Promise<readonly (JobForKey | null)[]> {
  const asked = calls.flatMap(({ key, parsed }) =>
    parsed.kind === 'valid' ? [{ keyId: key.id, jobId: parsed.submission.jobId }] : [],
  );
  const found = (asked.length === 0 ? [] : await tx.jobs.findForKeys(asked)).values();
  return calls.map(({ parsed }) => (parsed.kind === 'valid' ? (found.next().value ?? null) : null));
}

/** Which applications have the source ids of these calls already. */
async function loadSourceIdOwners(tx: Repositories, calls: readonly SubmitCall[]): Promise<SourceIdOwners> {
  const asked = calls.flatMap((call) => {
    const sourceApplicationId = call.parsed.kind === 'valid' && call.parsed.submission.sourceApplicationId;
    return sourceApplicationId ? [{ call, keyId: call.key.id, sourceApplicationId }] : [];
  });
  const found = asked.length === 0 ? [] : await tx.applications.findBySourceIds(asked);
  const owners = createSourceIdOwners();
  for (const [index, { call, sourceApplicationId }] of asked.entries()) {
    const owner = found[index];
    if (owner) owners.add(call, sourceApplicationId, owner.id);
  }
  return owners;
}
