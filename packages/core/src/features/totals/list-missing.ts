import { type Access, isAccessActive } from '../../domain/access.js';
import type { CompanyId, JobId, KeyId } from '../../domain/ids.js';
import type { Instant } from '../../domain/time.js';
import { InputProblem } from '../../operator/command/input.js';
import { keyNotFound } from '../../operator/find-or-throw.js';
import { definePageCursors, type Page, type PageOptions, scanPage } from '../../operator/page-cursor.js';
import type { KeyJob } from '../../ports/repositories/jobs.js';
import type { Repositories } from '../../ports/storage.js';

/** Selects the jobs that a key does not see. */
export interface MissingJobFilter extends PageOptions {
  readonly keyId: KeyId;
  /** The key that sees them. It must be of the same environment. */
  readonly otherKeyId: KeyId;
}

/** A job that the other key sees. */
export interface UnseenJob {
  readonly jobId: JobId;
  readonly jobTitle: string;
  readonly companyId: CompanyId;
  readonly companyName: string;
  /** `not_shown`: the key may see the job, and was not told yet. */
  readonly reason: 'no_access' | 'access_revoked' | 'not_shown';
  /** Since when: the revocation, or when the key last lost the job; null if it never had it. */
  readonly since: Instant | null;
}

/** A page reads at most this many jobs of the other key, of which it leaves out those that the key sees too. */
export const MOST_COMPARED = 5_000;
const JOBS_PER_READ = 500;
const CURSORS = definePageCursors<Pick<KeyJob, 'changedAt'>>('missing', { changedAt: 'number' });

type Reading = Pick<Repositories, 'keys' | 'keyJobs' | 'access'>;

/** Walks over the jobs of the other key, in the order of its feed. */
export async function listMissing(read: Reading, filter: MissingJobFilter): Promise<Page<UnseenJob>> {
  const { keyId, otherKeyId } = filter;
  const key = await read.keys.find(keyId);
  const other = await read.keys.find(otherKeyId);
  if (key === null) throw keyNotFound(keyId);
  if (other === null) throw keyNotFound(otherKeyId);
  if (key.environment !== other.environment)
    throw new InputProblem('otherKeyId must be a key of the same environment');
  const accesses = new Map((await read.access.listOfKey(keyId)).map((access) => [access.companyId, access]));
  const page = await scanPage(CURSORS, [keyId, otherKeyId], filter, {
    list: async ({ after, limit }) => {
      const all = { keyId: otherKeyId, companyId: null, updatedSince: null, status: null };
      const { rows } = await read.keyJobs.page({ ...all, after: after?.changedAt ?? null, limit });
      const own = await read.keyJobs.findEach(rows.map(({ job }) => ({ keyId, jobId: job.id })));
      return rows.map((row, index) => ({ ...row, own: own[index] ?? null }));
    },
    isKept: ({ own }) => own?.visible !== true,
    most: MOST_COMPARED,
    atOnce: JOBS_PER_READ,
  });
  const items = page.items.map(({ job, companyName, own }) => {
    const { id: jobId, title: jobTitle, companyId } = job;
    const why = explain(own, accesses.get(companyId));
    return { jobId, jobTitle, companyId, companyName, ...why };
  });
  return { ...page, items };
}

function explain(own: KeyJob | null, access: Access | undefined): Pick<UnseenJob, 'reason' | 'since'> {
  if (access === undefined) return { reason: 'no_access', since: null };
  return isAccessActive(access)
    ? { reason: 'not_shown', since: own?.changedAt ?? null }
    : { reason: 'access_revoked', since: access.revokedAt };
}
