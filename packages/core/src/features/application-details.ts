import type { ErasureItem } from './inbox/rules.js';

/** What features add to an application that a command shows. */
export interface AddedDetails {
  /**
   * The inbox item that tells the host of the erasure; null if the inbox was off, and unset if the candidate was not
   * erased.
   */
  readonly erasureItem?: ErasureItem | null;
  /**
   * Says that the inbox does not tell the host of changes by staff; null if it does, and unset after the decision or
   * the erasure.
   */
  readonly notice?: string | null;
}
