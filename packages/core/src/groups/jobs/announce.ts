import { type Access, decideVisibility, isAccessActive, type VisibilityChange } from '../../domain/access.js';
import { createEvent, type EventFact, type PartnerEvent } from '../../domain/event.js';
import { getOrAdd } from '../../domain/get-or-add.js';
import type { CompanyId, JobId, KeyId } from '../../domain/ids.js';
import type { Job } from '../../domain/job.js';
import type { Instant } from '../../domain/time.js';
import { mapInBatches } from '../../operator/event-loop.js';
import { groupBy } from '../../operator/group-by.js';
import type { Scope } from '../../operator/scope.js';
import type { KeyJob } from '../../ports/repositories/jobs.js';

interface JobChange {
  readonly keyId: KeyId;
  readonly job: Job;
  /**
   * The company that the event names. If a key loses a job that moved, this is the old company, because the key never
   * saw the job at the new one.
   */
  readonly companyId: CompanyId;
  /** Since when the key sees the job; null if it does not see it before the change. */
  readonly seenSince: Instant | null;
  readonly change: Exclude<VisibilityChange, { readonly kind: 'none' }>;
}

/**
 * Announces changed jobs to the keys that may see them. Runs a fixed number of queries. Before the call, save the jobs
 * and lock their companies. Each job may occur only once.
 * @param hasMoved - whether one of the jobs has moved to another company. Lock both companies of such a job.
 */
export async function announceJobs(scope: Scope, jobs: readonly Job[], hasMoved = false): Promise<void> {
  if (jobs.length === 0) return;
  const companyIds = [...new Set(jobs.map((job) => job.companyId))];
  const accesses = await scope.tx.access.listOfCompanies(companyIds);
  if (accesses.length === 0 && !hasMoved) return;
  const seen = await scope.tx.keyJobs.listOfJobs(jobs.map((job) => job.id));
  const changes = decideChanges(jobs, accesses, seen);
  await record(scope, hasMoved ? [...changes, ...decideLosses(jobs, accesses, seen)] : changes);
}

/** Announces changed access of one key to companies. Lock the companies first. */
export async function announceAccess(scope: Scope, keyId: KeyId, accesses: readonly Access[]): Promise<void> {
  const jobs: Job[] = [];
  const seen: KeyJob[] = [];
  for (const { companyId } of accesses) {
    jobs.push(...(await scope.tx.jobs.listOfCompany(companyId, 'open')));
    seen.push(...(await scope.tx.keyJobs.listOfCompany(keyId, companyId)));
  }
  await record(scope, decideChanges(jobs, accesses, seen));
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
      const { companyId = job.companyId, visibleSince: seenSince = null } = saw?.get(job.id) ?? {};
      const hasMoved = companyId !== job.companyId;
      const change = decideVisibility(seenSince !== null, { hasAccess, hasMoved, job });
      return change.kind === 'none' ? [] : [{ keyId: access.keyId, job, companyId, seenSince, change }];
    });
  });
}

/** Returns the changes for the keys that see a moved job and never had access to its new company. */
function decideLosses(
  jobs: readonly Job[],
  accesses: readonly Access[],
  seen: readonly KeyJob[],
): readonly JobChange[] {
  const nameOf = (keyId: KeyId, companyId: CompanyId) => `${keyId} ${companyId}`;
  const known = new Set(accesses.map(({ keyId, companyId }) => nameOf(keyId, companyId)));
  const jobOf = new Map(jobs.map((job) => [job.id, job]));
  return seen.flatMap(({ keyId, jobId, companyId, visible, visibleSince: seenSince }) => {
    const job = jobOf.get(jobId);
    if (!visible || job === undefined || known.has(nameOf(keyId, job.companyId))) return [];
    const change = decideVisibility(true, { hasAccess: false, hasMoved: true, job });
    return change.kind === 'none' ? [] : [{ keyId, job, companyId, seenSince, change }];
  });
}

/** Returns the jobs that each key sees, as the key last saw them. */
function visibleJobs(seen: readonly KeyJob[]): ReadonlyMap<KeyId, ReadonlyMap<JobId, KeyJob>> {
  const visible = new Map<KeyId, Map<JobId, KeyJob>>();
  for (const row of seen) {
    if (!row.visible) continue;
    getOrAdd(visible, row.keyId, () => new Map<JobId, KeyJob>()).set(row.jobId, row);
  }
  return visible;
}

async function record(scope: Scope, changes: readonly JobChange[]): Promise<void> {
  if (changes.length === 0) return;
  const { tx, runtime } = scope;
  const notified = await tx.endpoints.withEndpoint([...new Set(changes.map(({ keyId }) => keyId))]);
  // A stamp is a position in a key's feed. Taking one locks the feed until the commit, so stamps are taken late.
  const stamped = await stamp(scope, changes, notified);
  await tx.keyJobs.save(stamped.map(({ change, at }) => keyJobAfter(change, at)));
  const made = await mapInBatches(stamped, ({ change, at, isRecorded }): PartnerEvent | null => {
    const fact = isRecorded || notified.has(change.keyId) ? factOf(change) : null;
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
  /** Whether the key's log records every event, even without an endpoint. */
  readonly isRecorded: boolean;
}

async function stamp(
  { tx, now }: Scope,
  changes: readonly JobChange[],
  notified: ReadonlySet<KeyId>,
): Promise<readonly StampedChange[]> {
  const byKey = groupBy(changes, ({ keyId }) => keyId);
  const requests = [...byKey].map(([keyId, some]) => {
    const hasEvents = some.some(({ change }) => change.kind !== 'updated');
    const withoutEvents = !hasEvents || !notified.has(keyId);
    return { keyId, count: some.length, withoutEvents, unlessRecorded: hasEvents };
  });
  const ranges = await tx.feed.take(requests, await now());
  return ranges.flatMap(({ keyId, first, isRecorded }) =>
    (byKey.get(keyId) ?? []).map((change, index) => ({ change, at: first + index, isRecorded })),
  );
}

function keyJobAfter({ keyId, job, seenSince, change }: JobChange, changedAt: Instant): KeyJob {
  const { id: jobId, companyId } = job;
  const visible = change.kind !== 'closed';
  return { keyId, jobId, companyId, visible, changedAt, visibleSince: seenSince ?? changedAt };
}

function factOf({ job, companyId, change }: JobChange): EventFact | null {
  const { id: jobId, title } = job;
  switch (change.kind) {
    case 'opened':
      return { type: 'job.opened', jobId, companyId, title };
    case 'closed':
      return { type: 'job.closed', jobId, companyId, reason: change.reason };
    case 'updated':
      return null;
  }
}
