import type { AuditObject } from '../../domain/audit.js';
import type { CompanyId } from '../../domain/ids.js';
import type { SeeCompanies } from '../../operator/command/gate-rule.js';
import type { Page } from '../../operator/page-cursor.js';
import type { ListedAuditEntry } from './audit-entries.js';

/**
 * Removes all objects except `objects` from an audit entry that belongs to no single key, because it may name objects of
 * other partners. In the others, hides the names of jobs, and of companies that the partners no longer see.
 */
export function narrowEntry(
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
export function findSeenIn(
  entries: readonly ListedAuditEntry[],
  sees: SeeCompanies,
): Promise<ReadonlySet<CompanyId>> {
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
  const seen = await findSeenIn(page.items, sees);
  return { ...page, items: page.items.map((entry) => narrowEntry(entry, objects, seen)) };
}
