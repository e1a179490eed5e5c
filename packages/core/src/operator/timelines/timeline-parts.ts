import type { AuditObject } from '../../domain/audit.js';
import type { ApplicationId, KeyId } from '../../domain/ids.js';
import type { RequestScope } from '../../ports/repositories/requests.js';
import type { Repositories } from '../../ports/storage.js';
import { nameEntries } from '../audit.js';
import { withCallers } from '../requests/find-request.js';
import { entryAt } from './describe-fact.js';
import { partOf, type TimelinePart, type TimelineWindow } from './window.js';

/** The acts on one of these objects. */
export async function findActs(
  read: Pick<Repositories, 'audit' | 'names'>,
  objects: readonly AuditObject[],
  window: TimelineWindow,
): Promise<TimelinePart> {
  const { from: since, until, limit } = window;
  const parts: TimelinePart[] = [];
  const seen = new Set<string>();
  for (const object of objects) {
    const rows = await read.audit.list({
      selection: { by: 'object', object },
      since,
      until,
      after: null,
      limit,
    });
    const named = await nameEntries(read, rows);
    parts.push(
      partOf(window, named, (act) => {
        if (seen.has(act.id)) return [];
        seen.add(act.id);
        return [entryAt(act.at, { kind: 'act', act })];
      }),
    );
  }
  const cuts = parts.flatMap(({ cutAt }) => cutAt ?? []);
  return {
    entries: parts.flatMap(({ entries }) => entries),
    cutAt: cuts.length === 0 ? null : Math.max(...cuts),
  };
}

/** The requests of an application, or those of a key that failed. */
export async function findLoggedRequests(
  read: Pick<Repositories, 'requests' | 'names'>,
  scope: { readonly applicationId: ApplicationId } | { readonly keyId: KeyId },
  window: TimelineWindow,
): Promise<TimelinePart> {
  const { from, until, limit } = window;
  const onlyErrors = 'keyId' in scope;
  const page = { scope: scope as RequestScope, onlyErrors, from, until, after: null, limit };
  const rows = await withCallers(read, await read.requests.list(page));
  return partOf(window, rows, (request) => [entryAt(request.at, { kind: 'request', request })]);
}
