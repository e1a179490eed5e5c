import type { KeyId } from '../../domain/ids.js';
import type { ReadinessMark } from './rules.js';

/** Stores what keys have proved for their go-live. */
export interface ReadinessRepository {
  /**
   * Joins each mark with the stored one, as `joinMarks` does, so that processes may write in any order and repeat a
   * write. A batch must contain each key and name once. A power failure may lose the last writes outside a transaction.
   */
  add(marks: readonly ReadinessMark[]): Promise<void>;
  /** Returns the marks of a key, by name. */
  list(keyId: KeyId): Promise<readonly ReadinessMark[]>;
}
