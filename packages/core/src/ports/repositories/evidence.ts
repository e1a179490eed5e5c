import type { EventSuccess, EvidenceBatch } from '../../domain/delivery-evidence.js';
import type { KeyId } from '../../domain/ids.js';
import type { Instant } from '../../domain/time.js';

/** An event by its key and stamp. */
export interface EventStamp {
  readonly keyId: KeyId;
  readonly at: Instant;
}

/** Stores when deliveries succeeded, with which status, and how long it took. */
export interface EvidenceRepository {
  /**
   * Appends one row for each batch. Leaves out a batch without successes, and one that is stored already. Append
   * the first attempts of a settlement in the transaction that advances the watermark.
   */
  append(batches: readonly EvidenceBatch[]): Promise<void>;
  /** Returns the stored successes of each event: of the first cycle, and of the last ten that were replaced. */
  find(events: readonly EventStamp[]): Promise<readonly (readonly EventSuccess[])[]>;
  /**
   * Deletes evidence of events that are older than `before` and deleted. Looks at a limited number of rows, and
   * continues there the next time.
   */
  sweep(before: Instant, limit: number): Promise<number>;
}
