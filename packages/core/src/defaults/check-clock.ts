import { OperatorError } from '../errors.js';
import type { Clock } from '../ports/runtime.js';

/** The API's `date-time` format allows only years with four digits. */
const LAST_INSTANT = Date.UTC(10_000, 0) - 1;

/** Rejects a clock with the wrong unit. @throws OperatorError `MISCONFIGURED` */
export function checkClock(clock: Pick<Clock, 'now'>): void {
  const at = clock.now();
  if (Number.isSafeInteger(at) && at >= 0 && at <= LAST_INSTANT) return;
  throw new OperatorError(
    'MISCONFIGURED',
    `The clock returns ${at}, but must return whole milliseconds since 1970, before the year 10000. ` +
      "Set this machine's clock, or fix `runtime.clock.now`.",
  );
}
