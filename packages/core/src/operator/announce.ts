import { type Access, decideVisibility, isAccessActive, type VisibilityChange } from '../domain/access.js';
import { createEvent, type EventFact, type PartnerEvent } from '../domain/event.js';
import type { JobId, KeyId } from '../domain/ids.js';
import type { Job } from '../domain/job.js';
import type { Instant } from '../domain/time.js';
import type { KeyJob } from '../ports/repositories/jobs.js';
import { mapInBatches } from './event-loop.js';
import type { Scope } from './scope.js';

interface JobChange {
  readonly keyId: KeyId;
  readonly job: Job;
  readonly change: Exclude<VisibilityChange, { readonly kind: 'none' }>;
}

type IsNotified = (change: JobChange) => boolean;

/**
 * Announces changed jobs to the keys that may see them. First save the jobs and lock their companies. No job
 * may occur twice. Runs a fixed number of queries.
 */
export async function announceJobs(scope: Scope, jobs: readonly Job[]): Promise<void> {
  if (jobs.length === 0) return;
  const companyIds = [...new Set(jobs.map((job) => job.companyId))];
  const accesses = await scope.tx.access.listOfCompanies(companyIds);
  if (accesses.length === 0) return;
  const seen = await scope.tx.keyJobs.listOfJobs(jobs.map((job) => job.id));
  await record(scope, decideChanges(jobs, accesses, seen));
}

/** Lock the company first. */
export async function announceAccess(scope: Scope, access: Access): Promise<void> {
  const { keyId, companyId } = access;
  const jobs = await scope.tx.jobs.listOfCompany(companyId, 'open');
  const seen = await scope.tx.keyJobs.listOfCompany(keyId, companyId);
  await record(scope, decideChanges(jobs, [access], seen));
}

function decideChanges(
  jobs: readonly Job[],
  accesses: readonly Access[],
  seen: readonly KeyJob[],
): readonly JobChange[] {
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

async function record(scope: Scope, changes: readonly JobChange[]): Promise<void> {
  if (changes.length === 0) return;
  const { tx, runtime } = scope;
  const notified = await tx.endpoints.withEndpoint([...new Set(changes.map(({ keyId }) => keyId))]);
  const isNotified: IsNotified = ({ keyId, change }) => notified.has(keyId) && change.kind !== 'updated';
  // Stamps, that is positions in a key's feed, are taken late: taking one locks the feed until the commit.
  const stamped = await stamp(scope, changes, isNotified);
  await tx.keyJobs.save(stamped.map(({ change, at }) => keyJobAfter(change, at)));
  const made = await mapInBatches(stamped, ({ change, at }): PartnerEvent | null => {
    const fact = isNotified(change) ? factOf(change) : null;
    return fact === null ? null : createEvent(runtime.ids.next('event'), change.keyId, at, fact);
  });
  const events = made.filter((event) => event !== null);
  if (events.length === 0) return;
  await tx.events.append(events);
  scope.workIsDue(events.map(({ keyId }) => keyId));
}

interface StampedChange {
  readonly change: JobChange;
  readonly at: Instant;
}

async function stamp(
  { tx, now }: Scope,
  changes: readonly JobChange[],
  isNotified: IsNotified,
): Promise<readonly StampedChange[]> {
  const byKey = groupBy(changes, ({ keyId }) => keyId);
  const requests = [...byKey].map(([keyId, some]) => ({
    keyId,
    count: some.length,
    withoutEvents: !some.some(isNotified),
  }));
  const ranges = await tx.feed.take(requests, await now());
  return ranges.flatMap(({ keyId, first }) =>
    (byKey.get(keyId) ?? []).map((change, index) => ({ change, at: first + index })),
  );
}

function keyJobAfter({ keyId, job, change }: JobChange, changedAt: Instant): KeyJob {
  const { id: jobId, companyId } = job;
  return { keyId, jobId, companyId, visible: change.kind !== 'closed', changedAt };
}

function factOf({ job, change }: JobChange): EventFact | null {
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

function groupBy<Item, Key>(
  items: readonly Item[],
  keyOf: (item: Item) => Key,
): ReadonlyMap<Key, readonly Item[]> {
  const groups = new Map<Key, Item[]>();
  for (const item of items) {
    const group = groups.get(keyOf(item));
    if (group === undefined) groups.set(keyOf(item), [item]);
    else group.push(item);
  }
  return groups;
}
