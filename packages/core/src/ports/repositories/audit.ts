import type { Act, AuditEntry, AuditObject } from '../../domain/audit.js';
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

/** Stores who did what. Entries are never changed. */
export interface AuditRepository {
  add(entries: readonly NewAuditEntry[]): Promise<void>;
  /** Newest first. `since` is inclusive, `until` exclusive. */
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
