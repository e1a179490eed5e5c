import { type Access, isAccessActive } from '../domain/access.js';
import { createEvent, type EventFact, type PartnerEvent } from '../domain/event.js';
import type { JobId, KeyId } from '../domain/ids.js';
import type { Job } from '../domain/job.js';
import type { Instant } from '../domain/time.js';
import { decideVisibility, type VisibilityChange } from '../domain/visibility.js';
import type { KeyJob } from '../ports/repositories/jobs.js';
import { groupBy } from './group-by.js';
import { mapInParts } from './in-parts.js';
import type { Scope } from './scope.js';

/** What became of a job in the eyes of one key. */
interface Sighting {
  readonly keyId: KeyId;
  readonly job: Job;
  readonly change: Exclude<VisibilityChange, { readonly kind: 'none' }>;
}

/** Whether an event tells the key of it. */
type IsTold = (sighting: Sighting) => boolean;

/**
 * Tells every key what changed about jobs: stamps them in the feeds of those that see, or saw, them, and
 * records `job.opened` and `job.closed` for keys with an endpoint. The jobs' companies must be locked and the
 * jobs saved; each job stands in the list once. A constant number of calls, however many jobs and keys.
 *
 * Spec: States and transitions, job visibility to a key.
 */
export async function announceJobs(scope: Scope, jobs: readonly Job[]): Promise<void> {
  if (jobs.length === 0) return;
  const companyIds = [...new Set(jobs.map((job) => job.companyId))];
  const accesses = await scope.tx.access.listOfCompanies(companyIds);
  if (accesses.length === 0) return;
  const seen = await scope.tx.keyJobs.listOfJobs(jobs.map((job) => job.id));
  await record(scope, sightings(jobs, accesses, seen));
}

/** Tells one key what a grant or a revocation changed about a company's jobs. The company must be locked. */
export async function announceAccess(scope: Scope, access: Access): Promise<void> {
  const { keyId, companyId } = access;
  const jobs = await scope.tx.jobs.listOfCompany(companyId, 'open');
  const seen = await scope.tx.keyJobs.listOfCompany(keyId, companyId);
  await record(scope, sightings(jobs, [access], seen));
}

/** Decides for each key and job, by what the key saw last; key by key, the jobs in their order. */
function sightings(
  jobs: readonly Job[],
  accesses: readonly Access[],
  seen: readonly KeyJob[],
): readonly Sighting[] {
  const visible = visibleJobs(seen);
  const jobsOf = groupBy(jobs, (job) => job.companyId);
  return accesses.flatMap((access) => {
    const hasAccess = isAccessActive(access);
    const saw = visible.get(access.keyId);
    return (jobsOf.get(access.companyId) ?? []).flatMap((job) => {
      const change = decideVisibility(saw?.has(job.id) ?? false, { hasAccess, job });
      return change.kind === 'none' ? [] : [{ keyId: access.keyId, job, change }];
    });
  });
}

function visibleJobs(seen: readonly KeyJob[]): ReadonlyMap<KeyId, ReadonlySet<JobId>> {
  const visible = new Map<KeyId, Set<JobId>>();
  for (const { keyId, jobId, visible: isVisible } of seen) {
    if (!isVisible) continue;
    const jobs = visible.get(keyId) ?? new Set();
    visible.set(keyId, jobs.add(jobId));
  }
  return visible;
}

/** Stamps last: from then on the feed heads stay locked until the commit. */
async function record(scope: Scope, changes: readonly Sighting[]): Promise<void> {
  if (changes.length === 0) return;
  const { tx, runtime } = scope;
  const notified = await tx.endpoints.withEndpoint([...new Set(changes.map(({ keyId }) => keyId))]);
  const isTold: IsTold = ({ keyId, change }) => notified.has(keyId) && change.kind !== 'updated';
  const stamped = await stamp(scope, changes, isTold);
  await tx.keyJobs.save(stamped.map(({ sighting, at }) => keyJobAfter(sighting, at)));
  const made = await mapInParts(stamped, ({ sighting, at }): PartnerEvent | null => {
    const fact = isTold(sighting) ? factOf(sighting) : null;
    return fact === null ? null : createEvent(runtime.ids.next('event'), sighting.keyId, at, fact);
  });
  const events = made.filter((event) => event !== null);
  if (events.length === 0) return;
  await tx.events.append(events);
  scope.workIsDue(events.map(({ keyId }) => keyId));
}

interface Stamped {
  readonly sighting: Sighting;
  readonly at: Instant;
}

/** Gives each change its stamp; each key's head is asked once. */
async function stamp(
  { tx, now }: Scope,
  changes: readonly Sighting[],
  isTold: IsTold,
): Promise<readonly Stamped[]> {
  const byKey = groupBy(changes, ({ keyId }) => keyId);
  const requests = [...byKey].map(([keyId, some]) => ({
    keyId,
    count: some.length,
    withoutEvents: !some.some(isTold),
  }));
  const ranges = await tx.feed.take(requests, await now());
  return ranges.flatMap(({ keyId, first }) =>
    (byKey.get(keyId) ?? []).map((sighting, index) => ({ sighting, at: first + index })),
  );
}

function keyJobAfter({ keyId, job, change }: Sighting, changedAt: Instant): KeyJob {
  const { id: jobId, companyId } = job;
  return { keyId, jobId, companyId, visible: change.kind !== 'closed', changedAt };
}

function factOf({ job, change }: Sighting): EventFact | null {
  const { id: jobId, companyId, title } = job;
  switch (change.kind) {
    case 'opened':
      return { type: 'job.opened', jobId, companyId, title };
    case 'closed':
      return { type: 'job.closed', jobId, companyId, reason: change.reason };
    case 'updated':
      return null;
  }
}
