import type { AuditObject } from '../../domain/audit.js';
import type { ApplicationId, JobId, KeyId } from '../../domain/ids.js';
import type { Job } from '../../domain/job.js';
import { type DeliveryDetails, findDelivery } from '../../groups/deliveries/find-delivery.js';
import { jobNotFound, keyNotFound } from '../../operator/find-or-throw.js';
import { withKeyNames } from '../../operator/names.js';
import type { KeyJob } from '../../ports/repositories/jobs.js';
import type { Repositories } from '../../ports/storage.js';
import { eventEntries } from './application-timeline.js';
import { entryAt } from './describe-fact.js';
import { findNews } from './partner-news.js';
import type { Timeline, TimelineOptions } from './timeline.js';
import {
  findActs,
  mergeParts,
  partOf,
  type TimelinePart,
  type TimelineWindow,
  wholePart,
  windowOf,
} from './timeline-parts.js';

/** Includes the last run of a sync that changed the job, because the act of who asked for the run does not name the job. */
function objectsOf({ id, syncedIn }: Job): readonly AuditObject[] {
  const own = { kind: 'job', id } as const;
  return syncedIn === null ? [own] : [own, { kind: 'operation', id: syncedIn }];
}

/** @throws OperatorError `JOB_NOT_FOUND`; `KEY_NOT_FOUND`. */
export async function findJobTimeline(
  read: Repositories,
  {
    jobId: id,
    keyId,
    ...options
  }: TimelineOptions & { readonly jobId: JobId; readonly keyId?: KeyId | undefined },
): Promise<Timeline> {
  const window = windowOf(options);
  const [job] = await read.jobs.find([id]);
  if (!job) throw jobNotFound(id);
  if (keyId !== undefined && (await read.keys.find(keyId)) === null) throw keyNotFound(keyId);
  const acts = await findActs(read, objectsOf(job), window);
  const parts = [acts, await findSubmitted(read, id, keyId, window)];
  const seen = keyId === undefined ? null : await read.keyJobs.find(keyId, id);
  if (seen === null) return { ...mergeParts(window, parts), news: null };
  const { changedAt } = seen;
  const event = await findLastEvent(read, seen);
  const reads = await read.requests.findCoveringReads(seen.keyId, '/jobs', changedAt);
  const part = wholePart([
    ...(event === null ? [] : eventEntries(event)),
    ...(reads === null ? [] : [entryAt(reads.lastAt, { kind: 'read', reads })]),
  ]);
  const news = await findNews(read, {
    keyId: seen.keyId,
    changedAt,
    route: '/jobs',
    event,
    reads,
    causesEvent: seen.visible ? 'sometimes' : 'always',
  });
  return { ...mergeParts(window, [...parts, part]), news };
}

async function findSubmitted(
  read: Repositories,
  jobId: JobId,
  keyId: KeyId | undefined,
  window: TimelineWindow,
): Promise<TimelinePart> {
  const { from, until: submittedAt, limit } = window;
  // The empty id sorts before all ids, so rows at `until` itself are left out.
  const after = { submittedAt, id: '' as string as ApplicationId };
  const found = await read.applications.listNewest({ scope: { jobId }, from, after, limit });
  const rows = (await withKeyNames(read, found)).map((row) => ({ ...row, at: row.submittedAt }));
  return partOf(window, rows, ({ at, id: applicationId, companyId, keyLabel, ...row }) =>
    keyId !== undefined && row.keyId !== keyId
      ? []
      : [entryAt(at, { kind: 'submitted', applicationId, jobId, companyId, keyId: row.keyId, keyLabel })],
  );
}

/** Finds the event of the last change, which has the stamp of that change. */
async function findLastEvent(
  read: Repositories,
  { keyId, changedAt }: KeyJob,
): Promise<DeliveryDetails | null> {
  const [event] = await read.events.listNewest({ keyId, from: changedAt, before: changedAt + 1, limit: 1 });
  return event === undefined ? null : findDelivery(read, { keyId, eventId: event.id });
}
