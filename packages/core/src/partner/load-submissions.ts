import type { IdempotencyRecord } from '../domain/idempotency.js';
import type { JobForKey } from '../domain/submission.js';
import type { Repositories } from '../ports/repositories.js';
import { createSourceIdOwners, type SourceIdOwners } from './decide-outcomes.js';
import type { SubmitCall } from './partner-api.js';

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
export async function loadSourceIdOwners(
  tx: Repositories,
  calls: readonly SubmitCall[],
): Promise<SourceIdOwners> {
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
