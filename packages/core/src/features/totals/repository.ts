import type { KeyId } from '../../domain/ids.js';
import type { Instant } from '../../domain/time.js';
import type { Total, TotalFact, TotalHead, TotalOwner } from './rules.js';

/** Selects what has a stamp after `after`, up to `through`. */
export interface TotalWindow {
  readonly keyId: KeyId;
  readonly after: Instant;
  readonly through: Instant;
  readonly limit: number;
}

/** The days of an owner, from `from` on and before `until`. */
export interface TotalDays extends TotalOwner {
  readonly from: Instant;
  readonly until: Instant;
}

/** Stores daily sums, and how far they count. */
export interface TotalsRepository {
  findHead(keyId: TotalHead['keyId']): Promise<TotalHead | null>;
  /** Lists what a key's feed has, in the order of the stamps. */
  listFacts(window: TotalWindow): Promise<readonly TotalFact[]>;
  /**
   * Saves a head, unless it has another version than the one before. Returns whether it did. Outside a transaction, a power
   * failure may lose it.
   */
  saveHead(head: TotalHead): Promise<boolean>;
  /** Adds to sums. A batch must contain each of them once. */
  add(totals: readonly Total[]): Promise<void>;
  /** Returns the sums of each range of days, by name. */
  sumEach(ranges: readonly TotalDays[]): Promise<readonly ReadonlyMap<string, number>[]>;
  /** Deletes the sums of days before `before`. */
  sweep(before: Instant, limit: number): Promise<number>;
}
