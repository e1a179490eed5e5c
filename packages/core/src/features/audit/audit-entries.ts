import type { AuditEntry, AuditObject, AuditObjectKind } from '../../domain/audit.js';
import type { AuditId, CompanyId, JobId, KeyId, PartnerId } from '../../domain/ids.js';
import { isStorableText } from '../../domain/text.js';
import type { Instant } from '../../domain/time.js';
import { labelKey, withKeyNames } from '../../operator/names.js';
import { definePageCursors, type Page, type PageOptions, readPage } from '../../operator/page-cursor.js';
import type { AuditObjectRow } from '../../ports/repositories/audit.js';
import type { Repositories } from '../../ports/storage.js';

/** An entry with the names of its key and of its objects. An entry without a key has null for the names of the key. */
export interface ListedAuditEntry extends AuditEntry {
  /**
   * The name of each object, if it is a partner, a key, a company or a job; null for other kinds, and for an object
   * that does not exist anymore. Entries never contain the name of a candidate.
   */
  readonly objectNames: readonly (string | null)[];
  /** The partner of `keyId`; null without a key. */
  readonly partnerId: PartnerId | null;
  readonly partnerName: string | null;
  readonly keyLabel: string | null;
}

/** An object of an entry. */
export interface ListedAuditObject extends AuditObject {
  /** The name of the object; null for a kind without names, and for an object that does not exist anymore. */
  readonly name: string | null;
  /** When the object was changed. */
  readonly at: Instant;
}

/** An entry with a page of all of its objects. */
export interface WholeAuditEntry extends ListedAuditEntry {
  /** The objects, the main one first; its `nextCursor` is null if there are no more. */
  readonly allObjects: Page<ListedAuditObject>;
}

/** An audit entry by id, and which page of its objects to return: the first 100 by default. */
export interface AuditTarget extends PageOptions {
  readonly id: AuditId;
}

const OBJECT_CURSORS = definePageCursors<Pick<AuditObjectRow, 'number'>>('objects of an audit entry', {
  number: 'number',
});

export async function findEntry(
  read: Repositories,
  { id, ...asked }: AuditTarget,
): Promise<WholeAuditEntry | null> {
  const entry = isStorableText(id) ? await read.audit.find(id) : null;
  const [named] = entry === null ? [] : await nameEntries(read, [entry]);
  return named === undefined ? null : { ...named, allObjects: await listObjects(read, id, asked) };
}

async function listObjects(
  read: Repositories,
  id: AuditId,
  asked: PageOptions,
): Promise<Page<ListedAuditObject>> {
  const { items: rows, nextCursor } = await readPage(OBJECT_CURSORS, [id], asked, ({ after, limit }) =>
    read.audit.listObjects(id, { after: after?.number ?? null, limit }),
  );
  const nameOf = await findObjectNames(
    read,
    rows.map(({ object }) => object),
  );
  return { items: rows.map(({ object, at }) => ({ ...object, name: nameOf(object), at })), nextCursor };
}

export async function nameEntries(
  read: NameReading,
  entries: readonly AuditEntry[],
): Promise<readonly ListedAuditEntry[]> {
  const keyed = entries.flatMap(({ id, keyId }) => (keyId === null ? [] : [{ id, keyId }]));
  const names = new Map((await withKeyNames(read, keyed)).map((row) => [row.id, row]));
  const nameOf = await findObjectNames(
    read,
    entries.flatMap(({ objects }) => objects),
  );
  return entries.map((entry) => {
    const { partnerId = null, partnerName = null, keyLabel = null } = names.get(entry.id) ?? {};
    return { ...entry, objectNames: entry.objects.map(nameOf), partnerId, partnerName, keyLabel };
  });
}

type NameReading = Pick<Repositories, 'names' | 'partners'>;

/** Returns the name of an object. Null if its kind has no names, or if the object does not exist. */
type NameOfObject = (object: AuditObject) => string | null;

/**
 * Finds the names of partners, companies, jobs, and keys with their endpoints, by one look-up for each kind. Candidates'
 * names are never looked up.
 */
async function findObjectNames(
  { names, partners }: NameReading,
  objects: readonly AuditObject[],
): Promise<NameOfObject> {
  const found = new Map<string, string>();
  const look = async <Id extends string>(
    kind: AuditObjectKind,
    read: (ids: readonly Id[]) => Promise<readonly (string | null)[]>,
  ): Promise<void> => {
    const ids = [...new Set(objects.flatMap((each) => (each.kind === kind ? [each.id] : [])))];
    if (ids.length === 0) return;
    const named = await read(ids as string[] as Id[]);
    for (const [index, id] of ids.entries()) {
      const name = named[index] ?? null;
      if (name !== null) found.set(`${kind} ${id}`, name);
    }
  };
  const labelsOf = async (ids: readonly KeyId[]) =>
    (await names.ofKeys(ids)).map((owner) => owner && labelKey(owner.partnerName, owner.environment));
  await look<PartnerId>('partner', async (ids) =>
    (await partners.findMany(ids)).map((partner) => partner?.name ?? null),
  );
  await look<KeyId>('key', labelsOf);
  await look<KeyId>('endpoint', labelsOf);
  await look<CompanyId>('company', names.ofCompanies);
  await look<JobId>('job', names.ofJobs);
  return ({ kind, id }) => found.get(`${kind} ${id}`) ?? null;
}
