import type { PartnerId } from '../../domain/ids.js';
import type { Instant } from '../../domain/time.js';
import type { PortalPass } from './rules.js';

/** Stores the links and the sessions of the portal. A row that ends is deleted. */
export interface PortalPassRepository {
  add(pass: PortalPass): Promise<void>;
  /** Also finds expired rows that are not swept yet. */
  find(hash: string): Promise<PortalPass | null>;
  /** Returns false if the row does not exist. Of two transactions that remove a row, one gets true. */
  remove(hash: string): Promise<boolean>;
  /** Removes all links and sessions of a partner, and returns how many there were. */
  removeOf(partnerId: PartnerId): Promise<RemovedPasses>;
  /** Deletes rows that expired before `before`. */
  sweep(before: Instant, limit: number): Promise<number>;
}

/** How many links and sessions were removed. */
export interface RemovedPasses {
  readonly links: number;
  readonly sessions: number;
}
