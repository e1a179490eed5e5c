import { type Act, AUDIT_OBJECT_KINDS, type AuditObject } from '../../domain/audit.js';
import type { AuditId, KeyId, PartnerId } from '../../domain/ids.js';
import { toStorableText } from '../../domain/text.js';
import { type Claims, onHost } from '../../operator/command/claims.js';
import { type Definitions, inTransaction } from '../../operator/command/definition.js';
import {
  isTextUpTo,
  listField,
  name,
  oneOf,
  optional,
  page,
  prefixedId,
  range,
  value,
} from '../../operator/command/fields.js';
import { assertNotCombined, type Field, filter, object, record } from '../../operator/command/input.js';
import {
  definePageCursors,
  mergeNewest,
  type Page,
  type PageOptions,
  readPage,
  type TimeRange,
} from '../../operator/page-cursor.js';
import { recordAct, type Scope } from '../../operator/scope.js';
import type { AuditPosition, AuditSelection } from '../../ports/repositories/audit.js';
import type { Repositories } from '../../ports/storage.js';
import {
  type AuditTarget,
  findEntry,
  type ListedAuditEntry,
  nameEntries,
  type WholeAuditEntry,
} from './audit-entries.js';
import { narrowAudit } from './narrow-audit.js';

/**
 * Selects audit entries. At most one of `actorId`, `act`, `keyId` and `object` may be set, with or without a time
 * range. Other combinations are refused.
 */
export interface AuditFilter extends PageOptions, TimeRange {
  /** Only acts of this actor, such as `host`; default: of all. */
  readonly actorId?: string | undefined;
  /** Only acts by this command, such as `jobs.close`; default: by all. */
  readonly act?: Act | undefined;
  /** Only acts on this key and on its endpoint; default: on all. */
  readonly keyId?: KeyId | undefined;
  /** Only acts on this object, even if others were changed too; default: on all. */
  readonly object?: AuditObject | undefined;
}

/** A list whose rows somebody took away, as CSV for example. */
export interface ListExport {
  /** The name of the list, such as `applications`. */
  readonly list: string;
  /**
   * What the list was filtered by, at most 20 texts of 200 characters; default: nothing. It must not contain personal
   * data.
   */
  readonly filter?: Readonly<Record<string, string>> | undefined;
  /** The partners whose rows the list has, at most 1,000; default: all. */
  readonly partnerIds?: readonly PartnerId[] | undefined;
}

/** Reads who did what. If a command changes something, it has one entry, which grows with its commits. */
export interface AuditCommands {
  /**
   * Returns a page of audit entries, newest first, 100 by default. At most one of `actorId`, `act`, `keyId` and
   * `object` may be set, with or without `since` and `until`.
   * @example
   * const { items: entries } = await operator.audit.list({ object: { kind: 'job', id: jobId }, limit: 20 });
   * const whoDidWhat = entries.map(({ at, actor, act }) => [new Date(at), actor.id, act]);
   */
  list(filter?: AuditFilter): Promise<Page<ListedAuditEntry>>;
  /**
   * Iterates over the rows of `list` in its order. Reads each page only when the loop reaches it.
   * @example
   * for await (const { actor, act } of operator.audit.each({ since: Date.parse('2026-01-31') })) console.log(actor.id, act);
   */
  each(filter?: AuditFilter): AsyncIterable<ListedAuditEntry>;
  /**
   * Returns an entry with a page of all of its objects, the main object first, 100 by default; null if the entry does
   * not exist. The entry itself names only 20 objects. Pass the `nextCursor` of the page as `cursor` to get more.
   * @example
   * const entry = await operator.audit.find({ id: 'aud_01h8' });
   * const titles = entry?.allObjects.items.map(({ id, name }) => name ?? id);
   */
  find(target: AuditTarget): Promise<WholeAuditEntry | null>;
  /**
   * Records that rows of a list were exported. Call it before the rows leave, on `operator.as(actor)`. `audit.list` finds
   * the entry by the object `{ kind: 'list', id: list }`.
   * @example
   * await operator.audit.recordExport({ list: 'applications', filter: { jobId } });
   */
  recordExport(exported: ListExport): Promise<{ readonly recorded: true }>;
}

const CURSORS = definePageCursors<AuditPosition>('audit', { at: 'number', id: 'id' });

const ID_MAX_LENGTH = 200;

function isId(given: unknown): boolean {
  return typeof given === 'string' && given !== '' && given.length <= ID_MAX_LENGTH;
}

function idOf<Id extends string>(): Field<Id> {
  return value<Id>(isId, `must be text of 1 to ${ID_MAX_LENGTH} characters`, 'text');
}

const LIST_NAME_MAX_LENGTH = 100;
const MOST_PARTNERS = 1_000;
const MOST_FILTERS = 20;
const FILTER_MAX_LENGTH = 200;

const exportFilter = value<Readonly<Record<string, string>>>(
  (given) =>
    typeof given === 'object' &&
    given !== null &&
    !Array.isArray(given) &&
    Object.keys(given).length <= MOST_FILTERS &&
    Object.entries(given)
      .flat()
      .every((text) => isTextUpTo(text, FILTER_MAX_LENGTH)),
  `must be an object of at most ${MOST_FILTERS} texts of at most ${FILTER_MAX_LENGTH} characters`,
);

/** @param acts - the commands that the audit records. */
export const auditDefinitions = (acts: readonly Act[]): Definitions<AuditCommands> => ({
  list: {
    summary: 'Lists who did what, newest first',
    input: filter({
      actorId: optional(idOf<string>(), 'Only acts of this actor, such as host'),
      act: optional(oneOf(acts), 'Only this command of the library, such as jobs.close'),
      keyId: optional(idOf<KeyId>(), 'Only acts on this key and its endpoint'),
      object: optional(
        object({ kind: oneOf(AUDIT_OBJECT_KINDS), id: idOf<string>() }),
        'Only acts on this object',
      ),
      ...range,
      ...page,
    }),
    right: 'audit:read',
    claims: (asked) => claimsOf(auditObjectsOf(asked)[0]),
    gate: { narrow: (found, asked, sees) => narrowAudit(found, auditObjectsOf(asked), sees) },
    run: ({ read }, asked) => listAudit(read, asked),
  },
  find: {
    summary: 'Shows an act with all of its objects',
    input: record({ id: idOf<AuditId>(), ...page }),
    right: 'audit:read',
    claims: onHost,
    run: ({ read }, target) => findEntry(read, target),
  },
  recordExport: {
    summary: 'Records that rows of a list were exported',
    input: record({
      list: name(LIST_NAME_MAX_LENGTH),
      filter: optional(exportFilter),
      partnerIds: optional(
        listField(prefixedId('partner'), {
          max: MOST_PARTNERS,
          rule: `must be a list of at most ${MOST_PARTNERS} ids`,
        }),
      ),
    }),
    pastTense: 'exported a list',
    right: 'lists:export',
    claims: ({ partnerIds = [] }) => {
      const [first, ...others] = partnerIds.map((partnerId) => ({ on: 'partner', id: partnerId }) as const);
      return first === undefined ? onHost() : [first, ...others];
    },
    run: inTransaction(recordExport),
  },
});

async function recordExport(
  scope: Scope,
  { list, filter, partnerIds = [] }: ListExport,
): Promise<{ readonly recorded: true }> {
  const partners = partnerIds.map((partnerId) => ({ kind: 'partner', id: partnerId }) as const);
  recordAct(scope, { objects: [{ kind: 'list', id: list }, ...partners], filter: filter ?? {} });
  return { recorded: true };
}

/** Returns the objects that a filter selects, at least one of which an entry has. Empty if it selects none. */
export function auditObjectsOf({ keyId, object }: AuditFilter): readonly AuditObject[] {
  if (keyId === undefined) return object === undefined ? [] : [object];
  return [
    { kind: 'key', id: keyId },
    { kind: 'endpoint', id: keyId },
  ];
}

/** A delivery has the id of its event, which does not say to which key it belongs. */
function claimsOf(object: AuditObject | undefined): Claims {
  switch (object?.kind) {
    case 'partner':
      return [{ on: 'partner', id: object.id as `ptn_${string}` }];
    case 'key':
    case 'endpoint':
      return [{ on: 'key', id: object.id as `key_${string}` }];
    case 'application':
      return [{ on: 'application', id: object.id as `ej_app_${string}` }];
    default:
      return onHost();
  }
}

async function listAudit(read: Repositories, filter: AuditFilter): Promise<Page<ListedAuditEntry>> {
  const selections = selectionsOf(filter);
  const { since = 0, until = null } = filter;
  const { items: rows, nextCursor } = await readPage(
    CURSORS,
    [selections, since, until],
    filter,
    async ({ after, limit }) => {
      const bounds = { since, until, after, limit };
      const found = await Promise.all(
        selections.map((selection) => read.audit.list({ selection, ...bounds })),
      );
      return mergeNewest(found, ({ id }) => id).slice(0, limit);
    },
  );
  return { items: await nameEntries(read, rows), nextCursor };
}

function selectionsOf(filter: AuditFilter): readonly AuditSelection[] {
  const { actorId, act, keyId, object } = filter;
  assertNotCombined(
    { actorId, act, keyId, object },
    'Pass one of `actorId`, `act`, `keyId` and `object`, or none, with or without `since` and `until`.',
  );
  if (actorId !== undefined) return [{ by: 'actor', actorId: toStorableText(actorId) }];
  if (act !== undefined) return [{ by: 'act', act }];
  const objects = auditObjectsOf(filter);
  if (objects.length === 0) return [{ by: 'all' }];
  return objects.map((each) => ({ by: 'object', object: storable(each) }));
}

/** Replaces an id that the database cannot store by an unknown one. */
function storable({ kind, id }: AuditObject): AuditObject {
  return { kind, id: toStorableText(id) };
}
