import type { AuditObject } from '../../domain/audit.js';
import type { CompanyId, JobId, PartnerId } from '../../domain/ids.js';
import type { Job } from '../../domain/job.js';
import type { ListedAuditEntry } from '../../features/audit/audit-entries.js';
import type { ListedRequest } from '../../features/request-log/find-request.js';
import type { Timeline } from '../../features/timelines/timeline.js';
import type { FoundJob } from '../../groups/jobs/find-job.js';
import type { Page } from '../page-cursor.js';

/** Returns which of these companies the actor's partners see. */
export type SeeCompanies = (companyIds: readonly CompanyId[]) => Promise<ReadonlySet<CompanyId>>;

/** An application with names that belong to its ids. */
export interface NamedApplication {
  readonly companyId: CompanyId;
  readonly companyName: string;
  readonly jobId: JobId;
  readonly jobTitle: string;
}

/**
 * Replaces the names of a company that the partners no longer see, and of its jobs, by their ids. The names in a row
 * are the current ones, not those at the application's submission.
 */
export async function narrowApplications<Row extends NamedApplication>(
  rows: readonly Row[],
  sees: SeeCompanies,
): Promise<readonly Row[]> {
  const seen = await sees([...new Set(rows.map(({ companyId }) => companyId))]);
  return rows.map((row) =>
    seen.has(row.companyId) ? row : { ...row, companyName: row.companyId, jobTitle: row.jobId },
  );
}

/** Hides the titles and the companies of jobs whose company the partners do not see. A partner may have written any job's id. */
export async function narrowRequests<
  Row extends Pick<ListedRequest, 'jobTitle' | 'companyId' | 'companyName'>,
>(rows: readonly Row[], sees: SeeCompanies): Promise<readonly Row[]> {
  const seen = await sees([...new Set(rows.flatMap(({ companyId }) => companyId ?? []))]);
  return rows.map((row) =>
    row.companyId !== null && seen.has(row.companyId)
      ? row
      : { ...row, jobTitle: null, companyId: null, companyName: null },
  );
}

/** Hides what a job says about the platform's own job source, which belongs to no partner. */
export function narrowJob<Given extends Job>(job: Given): Given {
  return { ...job, syncedIn: null, sourceVersion: null };
}

/** Also leaves only the keys of these partners. */
export function narrowFoundJob(job: FoundJob, partnerIds: readonly PartnerId[]): FoundJob {
  const visibility = job.visibility.filter(({ partnerId }) => partnerIds.includes(partnerId));
  return { ...narrowJob(job), visibility };
}

/**
 * Removes all objects except `objects` from an audit entry that belongs to no single key, because it may name objects of
 * other partners. In the others, hides the names of jobs, and of companies that the partners no longer see.
 */
function narrowEntry(
  entry: ListedAuditEntry,
  objects: readonly AuditObject[],
  seen: ReadonlySet<CompanyId>,
): ListedAuditEntry {
  const { objectNames, keyId } = entry;
  const named = entry.objects.map((object, index) => ({ object, name: objectNames[index] ?? null }));
  if (keyId !== null) {
    const isHidden = ({ kind, id }: AuditObject) =>
      kind === 'job' || (kind === 'company' && !seen.has(id as CompanyId));
    return { ...entry, objectNames: named.map(({ object, name }) => (isHidden(object) ? null : name)) };
  }
  const own = named.filter(({ object }) =>
    objects.some(({ kind, id }) => kind === object.kind && id === object.id),
  );
  return {
    ...entry,
    objects: own.map(({ object }) => object),
    objectNames: own.map(({ name }) => name),
    count: null,
    filter: null,
    before: null,
    after: null,
  };
}

/** Returns which companies of these entries the partners see. */
function findSeen(entries: readonly ListedAuditEntry[], sees: SeeCompanies): Promise<ReadonlySet<CompanyId>> {
  const companies = entries
    .filter(({ keyId }) => keyId !== null)
    .flatMap(({ objects }) => objects.filter(({ kind }) => kind === 'company'));
  return sees([...new Set(companies.map(({ id }) => id as CompanyId))]);
}

/** Leaves only these objects in the entries of a page, with the names that the partners may see. */
export async function narrowAudit(
  page: Page<ListedAuditEntry>,
  objects: readonly AuditObject[],
  sees: SeeCompanies,
): Promise<Page<ListedAuditEntry>> {
  const seen = await findSeen(page.items, sees);
  return { ...page, items: page.items.map((entry) => narrowEntry(entry, objects, seen)) };
}

/** Leaves only these objects in the acts of a timeline, with the names that the partners may see. */
export async function narrowTimeline(
  timeline: Timeline,
  objects: readonly AuditObject[],
  sees: SeeCompanies,
): Promise<Timeline> {
  const acts = timeline.entries.flatMap((entry) => (entry.kind === 'command' ? [entry.auditEntry] : []));
  const seen = await findSeen(acts, sees);
  const entries = timeline.entries.map((entry) => {
    if (entry.kind !== 'command') return entry;
    const auditEntry = narrowEntry(entry.auditEntry, objects, seen);
    const { keyId, actor, act } = auditEntry;
    if (keyId !== null) return { ...entry, auditEntry };
    return { ...entry, auditEntry, text: `${actor.name ?? actor.id} called ${act}.` };
  });
  return { ...timeline, entries };
}
