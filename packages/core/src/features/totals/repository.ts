import type { CompanyId, KeyId } from '../../domain/ids.js';
import type { Instant } from '../../domain/time.js';
import type { Total, TotalFact, TotalHead, TotalPlace } from './rules.js';

/** What of a key to read: what has a stamp after `after`, up to `through`. */
export interface TotalWindow {
  readonly keyId: KeyId;
  readonly after: Instant;
  readonly through: Instant;
  readonly limit: number;
}

/** The companies of a key and month after a position. */
export interface TotalCompanies extends Pick<TotalPlace, 'keyId' | 'startsAt'> {
  readonly after: CompanyId | null;
  readonly limit: number;
}

/** Stores daily and monthly sums, and how far they count. */
export interface TotalsRepository {
  findHead(keyId: TotalHead['keyId']): Promise<TotalHead | null>;
  /** Lists what a key's feed has, in the order of the stamps. */
  listFacts(window: TotalWindow): Promise<readonly TotalFact[]>;
  /** Saves a head, unless another one than the replaced one is stored. Returns whether it did. */
  saveHead(head: TotalHead): Promise<boolean>;
  /** Adds to sums. A batch must contain each of them once. */
  add(totals: readonly Total[]): Promise<void>;
  /** Returns the sums of each place. */
  findEach(places: readonly TotalPlace[]): Promise<readonly (readonly Total[])[]>;
  /** Lists the monthly sums of a key by company: at most `limit` sums. */
  listCompanies(page: TotalCompanies): Promise<readonly Total[]>;
  /** Deletes sums of periods that began before `before`. */
  sweep(before: Instant, limit: number): Promise<number>;
}
