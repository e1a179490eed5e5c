import type { Act, AuditEntry, AuditObject } from '../../domain/audit.js';
import type { AuditId } from '../../domain/ids.js';
import type { Instant } from '../../domain/time.js';

/** An entry to add, with all of its objects. */
export interface NewAuditEntry extends Omit<AuditEntry, 'objects'> {
  /** The main object first, each object once. Not empty. */
  readonly allObjects: readonly AuditObject[];
}

/** Selects entries by one property. */
export type AuditSelection =
  | { readonly by: 'all' }
  | { readonly by: 'actor'; readonly actorId: string }
  | { readonly by: 'act'; readonly act: Act }
  | { readonly by: 'object'; readonly object: AuditObject };

/** A list continues after this entry, newest first. */
export type AuditPosition = Pick<AuditEntry, 'at' | 'id'>;

/** An object of an entry. */
export interface AuditObjectRow {
  /** The place in the entry. The main object has 0. */
  readonly number: number;
  readonly object: AuditObject;
  /** When it was changed. */
  readonly at: Instant;
}

/** Stores who did what. An entry only changes while the command that it records goes on. */
export interface AuditRepository {
  add(entries: readonly NewAuditEntry[]): Promise<void>;
  /**
   * Adds an entry, or grows the entry that has its id: adds the objects that the entry does not name yet, adds the count,
   * and replaces `after` unless it is null. The caller runs such calls for one entry one at a time, and passes each object
   * once, except those of the first call.
   */
  grow(entry: NewAuditEntry): Promise<void>;
  find(id: AuditId): Promise<AuditEntry | null>;
  /** Lists the objects of an entry, the main object first. */
  listObjects(
    id: AuditId,
    page: { readonly after: number | null; readonly limit: number },
  ): Promise<readonly AuditObjectRow[]>;
  /**
   * Newest first. `since` is inclusive, `until` exclusive. Selected by an object, an entry has the time when this object
   * was changed.
   */
  list(filter: {
    readonly selection: AuditSelection;
    readonly since: Instant;
    readonly until: Instant | null;
    readonly after: AuditPosition | null;
    readonly limit: number;
  }): Promise<readonly AuditEntry[]>;
  /** Deletes old entries. An entry with many objects may need several calls. */
  sweep(before: Instant, limit: number): Promise<number>;
}
