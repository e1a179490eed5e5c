import { SECOND_MS } from '../../domain/time.js';
import { StorageUnavailable } from '../../errors.js';
import type { Logger } from '../../ports/telemetry.js';

/** How long to leave alone what failed: a fault in one sandbox must not fill the log, or hold others up. */
export const REST_MS = 30 * SECOND_MS;

/** Something done for one sandbox, and what leaves it alone for a while if it fails. */
export interface Isolated {
  readonly work: () => Promise<void>;
  readonly rest: () => void;
}

/** Does it; the log calls it by those fields if it fails. */
export type Isolate = (fields: Readonly<Record<string, string>>, isolated: Isolated) => Promise<void>;

/** What fails for one sandbox is tried again later; that the storage is down is nobody's own fault. */
export function createIsolate(logger: Logger): Isolate {
  return async (fields, { work, rest }) => {
    try {
      await work();
    } catch (err) {
      if (err instanceof StorageUnavailable) throw err;
      logger.error({ ...fields, err }, 'A sandbox could not be played on; it is tried again.');
      rest();
    }
  };
}
