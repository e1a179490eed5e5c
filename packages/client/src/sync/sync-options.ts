import type { SyncStore } from '../sync-store.js';

/** What to bring up to date, and how. */
export interface SyncOptions<Row> {
  readonly store: SyncStore<Row>;
  /**
   * How old the last comparison may be before the whole list is read again to see what has disappeared; 24
   * hours unless given, 0 always. Jobs that close leave the list without a trace.
   */
  readonly compareEveryMs?: number;
  /** Only of this company. */
  readonly companyId?: string;
  readonly signal?: AbortSignal;
}

/** What a sync did. */
export interface SyncReport {
  /** `changes`: what had changed was read. `whole`: everything was, and compared with the copy. */
  readonly kind: 'changes' | 'whole';
  /** Rows that came; one that changed meanwhile may have come twice. */
  readonly rows: number;
  /** Of `whole`, what the copy had and the list no longer has: closed, revoked, or internal only. */
  readonly disappeared: readonly string[];
  /** How far the copy is now; null if the list was empty and the service does not say. */
  readonly updatedThrough: string | null;
}
