import type { Instant } from '../../domain/time.js';

/** When work is next due, by the storage's clock. */
export interface NextWork {
  /** The storage's time. */
  readonly now: Instant;
  /** When the first item of work is due, or a lease on it ends. Null if nothing waits. May be in the past. */
  readonly dueAt: Instant | null;
}

/** A kind of rows that expire. */
export type Expiring =
  | 'idempotencyKeys'
  | 'rateWindows'
  | 'deliveries'
  | 'events'
  | 'evidence'
  | 'operations'
  | 'auditEntries'
  | 'inboxReceipts'
  | 'requests'
  | 'reads'
  | 'hourCounts'
  | 'workers'
  | 'idleFeeds';

/** For each kind, rows before the instant have expired. */
export type ExpiredBefore = Readonly<Record<Expiring, Instant>>;

/** Says when a worker has to work, so that an idle one can sleep. */
export interface WorkRepository {
  /** Notifies the listeners of other processes when the transaction commits. Does nothing without `announceWork`. */
  announce(): Promise<void>;
  /** Reads when work is next due, in one statement. `withInbox` also asks for entries of the inbox. */
  findNext(withInbox: boolean): Promise<NextWork>;
  /** Returns the kinds that have expired rows, in one statement. */
  findExpired(before: ExpiredBefore): Promise<readonly Expiring[]>;
}
