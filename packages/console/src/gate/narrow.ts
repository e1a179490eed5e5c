import type {
  ApplicationTimeline,
  AuditObject,
  CompanyId,
  Job,
  JobId,
  ListedAuditEntry,
  ListedRequest,
  Page,
  Timeline,
} from '@partner-hiring/core';

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

/** Hides the titles of jobs whose company the partners do not see. A partner may have written any job's id. */
export async function narrowRequests<Row extends Pick<ListedRequest, 'jobTitle' | 'companyId'>>(
  rows: readonly Row[],
  sees: SeeCompanies,
): Promise<readonly Row[]> {
  const seen = await sees([...new Set(rows.flatMap(({ companyId }) => companyId ?? []))]);
  return rows.map((row) =>
    row.companyId !== null && seen.has(row.companyId) ? row : { ...row, jobTitle: null, companyId: null },
  );
}

/** Hides what a job says about the platform's own job source, which belongs to no partner. */
export function narrowJob<Given extends Job>(job: Given): Given {
  return { ...job, syncedIn: null, sourceVersion: null };
}

/**
 * Removes all objects except `objects` from an audit entry that belongs to no single key, because it may name objects of
 * other partners.
 */
function narrowEntry(entry: ListedAuditEntry, objects: readonly AuditObject[]): ListedAuditEntry {
  if (entry.keyId !== null) return entry;
  const isOwn = (object: AuditObject) =>
    objects.some(({ kind, id }) => kind === object.kind && id === object.id);
  return {
    ...entry,
    objects: entry.objects.filter(isOwn),
    count: null,
    filter: null,
    before: null,
    after: null,
  };
}

/** Leaves only these objects in the entries of a page. */
export function narrowAudit(
  page: Page<ListedAuditEntry>,
  objects: readonly AuditObject[],
): Page<ListedAuditEntry> {
  return { ...page, items: page.items.map((entry) => narrowEntry(entry, objects)) };
}

/** Leaves only these objects in the acts of a timeline. */
export function narrowTimeline<Given extends Timeline | ApplicationTimeline>(
  timeline: Given,
  objects: readonly AuditObject[],
): Given {
  const entries = timeline.entries.map((entry) => {
    if (entry.kind !== 'act' || entry.act.keyId !== null) return entry;
    const act = narrowEntry(entry.act, objects);
    return { ...entry, act, text: `${act.actor.name ?? act.actor.id} called ${act.act}.` };
  });
  return { ...timeline, entries };
}
