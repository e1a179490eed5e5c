import type { HourCount, HourCountKind } from '../../domain/hour-count.js';
import type { WorkerId } from '../../domain/ids.js';
import type { Instant } from '../../domain/time.js';
import type { WorkerInstance } from '../../domain/worker-instance.js';

/** The report of a worker about itself. */
export interface WorkerBeat extends Omit<WorkerInstance, 'startedAt' | 'lastSeenAt' | 'sleepsUntil'> {
  /** How long it sleeps from now on, in milliseconds. Null if it polls. */
  readonly sleepMs: number | null;
}

/** Stores which workers run. A power failure may lose the last writes. */
export interface WorkerRepository {
  /** Inserts the worker, or records that it is alive now, by the storage's clock. */
  beat(worker: WorkerBeat): Promise<void>;
  /** Forgets a worker that has stopped. */
  remove(id: WorkerId): Promise<void>;
  /** The one that was seen last comes first. */
  list(limit: number): Promise<readonly WorkerInstance[]>;
  /** Deletes workers that were last seen before `before`. */
  sweep(before: Instant, limit: number): Promise<number>;
}

/** Selects counts of one kind, from an hour on. */
export interface HourCountSelection {
  readonly kind: HourCountKind;
  /** An environment for the sum of its keys, or null for the sum of all keys. */
  readonly keyId: HourCount['keyId'];
  /** Inclusive. */
  readonly from: Instant;
}

/** Stores how often things happened in each hour. A power failure may lose the last writes. */
export interface HourCountRepository {
  /** Adds to the counts. A batch must contain each of them once. */
  add(counts: readonly HourCount[]): Promise<void>;
  /** By hour and name. */
  list(selection: HourCountSelection): Promise<readonly HourCount[]>;
  /** Deletes counts of hours that began before `before`. */
  sweep(before: Instant, limit: number): Promise<number>;
}

/** Facts about a storage. */
export interface StorageFacts {
  /** The name of the database, such as `postgres` or `sqlite`. */
  readonly kind: string;
  /** The version of the database. */
  readonly version: string;
  /** The number of the last migration. */
  readonly schemaVersion: number;
}

/** Describes the storage. */
export interface StorageFactsRepository {
  find(): Promise<StorageFacts>;
}

/** When work is next due, by the storage's clock. */
export interface NextWork {
  /** The storage's time. */
  readonly now: Instant;
  /** When the first item of work is due, or a lease on it ends. Null if nothing waits. May be in the past. */
  readonly dueAt: Instant | null;
}

/** The first rows that wait, and that no list shows. Each is null if no such row is stored. */
export interface FirstWaiting {
  /** When the first alert was raised. An alert that waits for its time counts from then. */
  readonly alertAt: Instant | null;
  /** When the first download of a résumé is due. */
  readonly downloadAt: Instant | null;
  /** When the first idempotency key expires. */
  readonly idempotencyKeyAt: Instant | null;
  /** When the first window of the rate limits began. */
  readonly rateWindowAt: Instant | null;
}

/** For each kind of rows, such as `events`: rows before the instant have expired. */
export type ExpiredBefore = Readonly<Record<string, Instant>>;

/** Says when a worker has to work, so that an idle one can sleep. */
export interface WorkRepository {
  /** Notifies the listeners of other processes when the transaction commits. Does nothing without `announceWork`. */
  announce(): Promise<void>;
  /** Reads when work is next due, in one statement. `withInbox` also asks for entries of the inbox. */
  findNext(withInbox: boolean): Promise<NextWork>;
  /** Reads since when alerts, downloads and expired rows wait, in one statement. */
  findFirstWaiting(): Promise<FirstWaiting>;
  /**
   * Returns the kinds that have expired rows, in one statement. Of a kind without an instant, no row has expired.
   * @throws OperatorError `MISCONFIGURED` if it does not know a kind.
   */
  findExpired(before: ExpiredBefore): Promise<readonly string[]>;
}
