import type { ApplicationRecord } from '../../domain/application.js';
import type { AttemptRecord, Delivery } from '../../domain/delivery.js';
import { eventStampOf } from '../../domain/erasure.js';
import type { PartnerEvent } from '../../domain/event.js';
import type { IdempotencyRecord } from '../../domain/idempotency.js';
import type { PostponedEntry } from '../../domain/inbox.js';
import type { ResumeFileTask, ResumeRemoval } from '../../domain/resume.js';
import type { Instant } from '../../domain/time.js';
import type { Repositories } from '../../ports/storage.js';
import { yieldToEventLoop } from '../event-loop.js';
import type { Runner } from '../scope.js';
import { type CandidateLookUp, listOf } from './candidate-target.js';
import { type CandidateApplication, describeApplications } from './describe-application.js';

/** Everything that is stored about a candidate. A JSON value: instants are milliseconds since 1970. */
export interface CandidateExport {
  readonly exportedAt: Instant;
  readonly applications: readonly ExportedApplication[];
}

/** An application with all rows of other tables that belong to it. */
export interface ExportedApplication {
  readonly application: CandidateApplication;
  /** The stored reply of the submission, and the hashes of its body. Null after 24 hours. */
  readonly idempotency: IdempotencyRecord | null;
  /** The event of the decision. Null if none was sent, or if retention has deleted it. */
  readonly event: PartnerEvent | null;
  /** Null if the event was delivered at the first attempt, or not attempted yet. */
  readonly delivery: Delivery | null;
  readonly attempts: readonly AttemptRecord[];
  /** Null unless the résumé waits for its download. */
  readonly resumeDownload: ResumeFileTask | null;
  /** Null unless an erased candidate's résumé waits for its removal. */
  readonly resumeRemoval: ResumeRemoval | null;
  /** Inbox items that the host refused, or that wait behind those. */
  readonly inboxItems: readonly PostponedEntry[];
}

const ROWS_PER_STEP = 100;

export async function exportCandidate(
  { read, now }: Runner,
  lookUp: CandidateLookUp,
): Promise<CandidateExport> {
  const exportedAt = await now();
  const exported: ExportedApplication[] = [];
  let after: ApplicationRecord['id'] | null = null;
  for (;;) {
    const found: readonly ApplicationRecord[] = await listOf(read, lookUp, { after, limit: ROWS_PER_STEP });
    exported.push(...(await exportEach(read, found)));
    const last = found.at(-1);
    if (last === undefined || found.length < ROWS_PER_STEP) return { exportedAt, applications: exported };
    after = last.id;
    await yieldToEventLoop();
  }
}

async function exportEach(
  read: Repositories,
  found: readonly ApplicationRecord[],
): Promise<readonly ExportedApplication[]> {
  const ids = found.map(({ id }) => id);
  const described = await describeApplications(read, found);
  const records = await read.candidates.findRecords(found);
  const downloads = await read.candidates.findResumeFiles(ids);
  const removals = await read.resumeRemovals.find(ids);
  const postponed = await read.candidates.listPostponed(ids);
  const exported: ExportedApplication[] = [];
  for (const [index, application] of described.entries()) {
    exported.push({
      application,
      idempotency: records[index] ?? null,
      ...(await exportEvent(read, application)),
      resumeDownload: downloads[index] ?? null,
      resumeRemoval: removals[index] ?? null,
      inboxItems: postponed.filter(({ applicationId }) => applicationId === application.id),
    });
  }
  return exported;
}

async function exportEvent(
  { candidates, deliveries }: Repositories,
  application: ApplicationRecord,
): Promise<Pick<ExportedApplication, 'event' | 'delivery' | 'attempts'>> {
  const stamp = eventStampOf(application);
  const [event = null] = stamp === null ? [] : await candidates.findEvents([stamp]);
  if (event === null || event.type !== 'application.status_changed')
    return { event: null, delivery: null, attempts: [] };
  const { keyId, id } = event;
  const [delivery = null] = await deliveries.find(keyId, [id]);
  return { event, delivery, attempts: await deliveries.findAttempts(keyId, id) };
}
