import type { Act } from '../domain/audit.js';
import { ACTS, AUDIT_OBJECT_KINDS, type AuditEntry, type AuditObject } from '../domain/audit.js';
import type { AuditId, KeyId, PartnerId } from '../domain/ids.js';
import { toStorableText } from '../domain/text.js';
import type { Instant } from '../domain/time.js';
import { OperatorError } from '../errors.js';
import type { AuditPosition, AuditSelection } from '../ports/repositories/audit.js';
import type { Repositories } from '../ports/storage.js';
import type { WithoutEach } from './each.js';
import { inspect, inspectChoice, inspectInstant, inspectKnownNames, inspectRecord } from './input.js';
import { withKeyNames } from './names.js';
import {
  definePageCursors,
  isCursorId,
  isCursorNumber,
  type Page,
  type PageOptions,
  readPage,
} from './page-cursor.js';
import type { Runner } from './scope.js';

/**
 * Selects audit entries: all, or those of one of `actorId`, `act`, `keyId` and `object`, each with or without a time range.
 * Other combinations are refused.
 */
export interface AuditFilter extends PageOptions {
  readonly actorId?: string | undefined;
  /** The name of a command, such as `jobs.close`. */
  readonly act?: Act | undefined;
  /** The acts on this key: the same as the object of the kind `key`. Those on its endpoint have the kind `endpoint`. */
  readonly keyId?: KeyId | undefined;
  readonly object?: AuditObject | undefined;
  /** The earliest time, inclusive. */
  readonly since?: Instant | undefined;
  /** The latest time, exclusive. */
  readonly until?: Instant | undefined;
}

/** An entry with the names that belong to its key. They are null if the entry has no key. */
export interface ListedAuditEntry extends AuditEntry {
  readonly partnerId: PartnerId | null;
  readonly partnerName: string | null;
  readonly keyLabel: string | null;
}

/** Reads who did what. Each command that changes something adds one entry for each commit, in that commit. */
export interface AuditCommands {
  /**
   * Returns a page of audit entries, newest first, 100 by default: all, or those of one of `actorId`, `act`, `keyId` and
   * `object`, each with or without `since` and `until`.
   * @throws OperatorError `INVALID_INPUT`, also for a combination of filters that is not possible.
   * @example
   * const { items: entries } = await operator.audit.list({ object: { kind: 'job', id: jobId }, limit: 20 });
   * const whoDidWhat = entries.map(({ at, actor, act }) => [new Date(at), actor.id, act]);
   */
  list(filter?: AuditFilter): Promise<Page<ListedAuditEntry>>;
  /**
   * Iterates over what `list` returns, in its order: reads the next page when it is needed, and none after `break`.
   * @throws OperatorError `INVALID_INPUT`.
   * @example
   * for await (const { actor, act } of operator.audit.each({ since: Date.parse('2026-01-31') })) console.log(actor.id, act);
   */
  each(filter?: AuditFilter): AsyncIterable<ListedAuditEntry>;
}

const COMMAND = 'audit.list';

const CURSORS = definePageCursors<AuditPosition>({
  command: COMMAND,
  list: 'audit',
  valuesOf: ({ at, id }) => [at, id],
  positionOf: ([at, id]) => (isCursorNumber(at) && isCursorId<AuditId>(id) ? { at, id } : null),
});

export function auditCommands({ read }: Runner): WithoutEach<AuditCommands> {
  return { list: async (filter) => listAudit(read, filter ?? {}) };
}

async function listAudit(read: Repositories, filter: AuditFilter): Promise<Page<ListedAuditEntry>> {
  inspectFilter(filter);
  const selection = selectionOf(filter);
  const { since = 0, until = null } = filter;
  const { items: rows, nextCursor } = await readPage(
    CURSORS,
    [selection, since, until],
    filter,
    ({ after, limit }) => read.audit.list({ selection, since, until, after, limit }),
  );
  return { items: await nameEntries(read, rows), nextCursor };
}

function selectionOf({ actorId, act, keyId, object }: AuditFilter): AuditSelection {
  const selections: readonly AuditSelection[] = [
    ...(actorId === undefined ? [] : [{ by: 'actor', actorId } as const]),
    ...(act === undefined ? [] : [{ by: 'act', act } as const]),
    ...(keyId === undefined ? [] : [{ by: 'object', object: storable({ kind: 'key', id: keyId }) } as const]),
    ...(object === undefined ? [] : [{ by: 'object', object: storable(object) } as const]),
  ];
  const [selection = { by: 'all' }, ...others] = selections;
  if (others.length === 0) return selection;
  const values = Object.entries({ actorId, act, keyId, object });
  const given = values.flatMap(([name, value]) => (value === undefined ? [] : [`\`${name}\``]));
  throw new OperatorError(
    'INVALID_INPUT',
    `${COMMAND}: ${given.join(' and ')} cannot be combined. Pass one of \`actorId\`, \`act\`, \`keyId\` ` +
      'and `object`, or none, with or without `since` and `until`. Nothing was changed.',
  );
}

/** Replaces an id that the database cannot store by an unknown one. */
function storable({ kind, id }: AuditObject): AuditObject {
  return { kind, id: toStorableText(id) };
}

const ID_MAX_LENGTH = 200;

function inspectFilter({ actorId, act, keyId, object, since, until }: AuditFilter): void {
  const inspection = inspect(COMMAND);
  const rule = `must be text of 1 to ${ID_MAX_LENGTH} characters`;
  const isId = (value: unknown) => typeof value === 'string' && value !== '' && value.length <= ID_MAX_LENGTH;
  if (actorId !== undefined) inspection.expect(isId(actorId), 'actorId', rule);
  if (keyId !== undefined) inspection.expect(isId(keyId), 'keyId', rule);
  if (act !== undefined) inspectChoice(inspection, act, 'act', ACTS);
  if (object !== undefined) {
    inspectRecord(inspection, object, 'object');
    inspection.end();
    inspectKnownNames(inspection, object, ['kind', 'id'], 'object.');
    inspectChoice(inspection, object.kind, 'object.kind', AUDIT_OBJECT_KINDS);
    inspection.expect(isId(object.id), 'object.id', rule);
  }
  inspectInstant(inspection, since, 'since');
  inspectInstant(inspection, until, 'until');
  inspection.end();
}

/** Adds the names of each entry's key. */
export async function nameEntries(
  read: Pick<Repositories, 'names'>,
  entries: readonly AuditEntry[],
): Promise<readonly ListedAuditEntry[]> {
  const keyed = entries.flatMap(({ id, keyId }) => (keyId === null ? [] : [{ id, keyId }]));
  const names = new Map((await withKeyNames(read, keyed)).map((row) => [row.id, row]));
  return entries.map((entry) => {
    const { partnerId = null, partnerName = null, keyLabel = null } = names.get(entry.id) ?? {};
    return { ...entry, partnerId, partnerName, keyLabel };
  });
}
