import { type ApplicationRecord, eventStampOf } from '../../domain/application.js';
import type { AuditEntry, AuditObject } from '../../domain/audit.js';
import type { AttemptRecord, StoredDelivery } from '../../domain/delivery.js';
import type { EventSuccess } from '../../domain/delivery-evidence.js';
import type { PartnerEvent } from '../../domain/event.js';
import type { IdempotencyRecord } from '../../domain/idempotency.js';
import type { ApplicationId } from '../../domain/ids.js';
import type { ResumeFileTask, ResumeRemoval } from '../../domain/resume.js';
import type { Instant } from '../../domain/time.js';
import { type CandidateLookUp, listOf } from '../../groups/applications/candidate-target.js';
import type { CommandContext } from '../../operator/command/definition.js';
import { readInTurns } from '../../operator/event-loop.js';
import { applicationNotFound } from '../../operator/find-or-throw.js';
import { mergeNewest } from '../../operator/page-cursor.js';
import { recordAct } from '../../operator/scope.js';
import type { Repositories } from '../../ports/storage.js';
import { findInboxEntries } from '../inbox/find-entries.js';
import type { InboxEntryState, ListedEntry } from '../inbox/rules.js';
import type { RequestRecord } from '../request-log/rules.js';
import { type CandidateApplication, describeApplications } from './describe-application.js';

/** Everything that is stored about a candidate. A JSON value: instants are milliseconds since 1970. */
export interface CandidateExport {
  readonly exportedAt: Instant;
  readonly applications: readonly ExportedApplication[];
}

/** An application with all rows of other tables that belong to it. */
export interface ExportedApplication {
  readonly application: CandidateApplication;
  /** The stored reply of the submission, and the hashes of its body; null after 24 hours. */
  readonly idempotency: IdempotencyRecord | null;
  /** The event of the decision; null if none was sent, or if retention has deleted it. */
  readonly event: PartnerEvent | null;
  /** Null if the event was delivered at the first attempt, or not attempted yet. */
  readonly delivery: StoredDelivery | null;
  readonly attempts: readonly AttemptRecord[];
  /** Null unless the résumé waits for its download. */
  readonly resumeDownload: ResumeFileTask | null;
  /** Null unless an erased candidate's résumé waits for its removal. */
  readonly resumeRemoval: ResumeRemoval | null;
  /** Inbox items that the host refused, and items that wait behind a refused one. */
  readonly inboxItems: readonly ListedEntry[];
  /** The inbox items that the host has received, or has not received yet. */
  readonly inbox: readonly InboxEntryState[];
  /** The recorded successes of the event's delivery. */
  readonly successes: readonly EventSuccess[];
  /** The requests of the log that submitted the application or repeated its submission, newest first. */
  readonly requests: readonly RequestRecord[];
  /** The acts on the application and on the delivery of its event, newest first. */
  readonly audit: readonly AuditEntry[];
}

const ROWS_PER_STEP = 100;

export async function exportCandidate(
  { read, now, flush }: CommandContext,
  lookUp: CandidateLookUp,
): Promise<CandidateExport> {
  await flush();
  const exportedAt = await now();
  const applications: ExportedApplication[] = [];
  const pages = readInTurns<ApplicationRecord>(ROWS_PER_STEP, (last) =>
    listOf(read, lookUp, { after: last?.id ?? null, limit: ROWS_PER_STEP }),
  );
  for await (const found of pages) applications.push(...(await exportEach(read, found)));
  return { exportedAt, applications };
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
    const event = await exportEvent(read, application);
    exported.push({
      application,
      idempotency: records[index] ?? null,
      ...event,
      resumeDownload: downloads[index] ?? null,
      resumeRemoval: removals[index] ?? null,
      inboxItems: postponed.filter(({ applicationId }) => applicationId === application.id),
      inbox: await findInboxEntries(read, application),
      requests: await listRequests(read, application.id),
      audit: await listActs(read, [
        { kind: 'application', id: application.id },
        ...(event.event === null ? [] : [{ kind: 'delivery', id: event.event.id } as const]),
      ]),
    });
  }
  return exported;
}

async function exportEvent(
  { candidates, deliveries, evidence }: Repositories,
  application: ApplicationRecord,
): Promise<Pick<ExportedApplication, 'event' | 'delivery' | 'attempts' | 'successes'>> {
  const stamp = eventStampOf(application);
  const [event = null] = stamp === null ? [] : await candidates.findEvents([stamp]);
  if (event === null || event.type !== 'application.status_changed')
    return { event: null, delivery: null, attempts: [], successes: [] };
  const { keyId, id } = event;
  const [successes = []] = await evidence.find([event]);
  const [delivery = null] = await deliveries.find(keyId, [id]);
  return { event, delivery, attempts: await deliveries.findAttempts(keyId, id), successes };
}

/** Reads all pages of a list. */
async function allOf<Row>(readPage: (after: Row | null) => Promise<readonly Row[]>): Promise<readonly Row[]> {
  const rows: Row[] = [];
  for await (const page of readInTurns(ROWS_PER_STEP, readPage)) rows.push(...page);
  return rows;
}

function listRequests(
  { requests }: Pick<Repositories, 'requests'>,
  applicationId: ApplicationRecord['id'],
): Promise<readonly RequestRecord[]> {
  const all = { scope: { applicationId }, onlyErrors: false, from: 0, until: null, limit: ROWS_PER_STEP };
  return allOf((after) => requests.list({ ...all, after }));
}

/** Lists an act on several of the objects only once. */
async function listActs(
  { audit }: Pick<Repositories, 'audit'>,
  objects: readonly AuditObject[],
): Promise<readonly AuditEntry[]> {
  const found: (readonly AuditEntry[])[] = [];
  for (const object of objects) {
    const all = { selection: { by: 'object', object }, since: 0, until: null, limit: ROWS_PER_STEP } as const;
    found.push(await allOf<AuditEntry>((after) => audit.list({ ...all, after })));
  }
  return mergeNewest(found, ({ id }) => id);
}

/** The application whose candidate to show. */
export interface RevealTarget {
  readonly applicationId: ApplicationId;
}

/** Returns an application with its candidate, and records who saw it. An erased candidate has nothing to see. */
export async function revealCandidate(
  { commit }: CommandContext,
  { applicationId }: RevealTarget,
): Promise<CandidateApplication> {
  return commit(async (scope) => {
    const found = await scope.tx.applications.find([applicationId]);
    const [described] = await describeApplications(
      scope.tx,
      found.flatMap((application) => application ?? []),
    );
    if (described === undefined) throw applicationNotFound(applicationId);
    if (described.erasedAt === null) {
      recordAct(scope, {
        objects: [{ kind: 'application', id: applicationId }],
        keyId: described.keyId,
      });
    }
    return described;
  });
}
