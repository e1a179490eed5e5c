import { HOUR_MS, type Instant, isReached } from '../../domain/time.js';
import type { Clock } from '../../ports/runtime.js';
import type { PeriodicTask } from '../../worker/loop.js';

/** An operation starts at most once a day, so checking every hour is enough. */
const CHECK_EVERY_MS = HOUR_MS;

/** Starts the daily operation that erases old applications. `onStarted` is called when its first step may run. */
export function createRetentionTask(
  start: () => Promise<boolean>,
  clock: Pick<Clock, 'now'>,
  onStarted: () => void,
): PeriodicTask {
  let nextAt: Instant = clock.now();
  return {
    name: 'start-retention',
    async poll() {
      const now = clock.now();
      if (!isReached(now, nextAt, CHECK_EVERY_MS)) return 'nothing';
      const isStarted = await start();
      nextAt = now + CHECK_EVERY_MS;
      if (isStarted) onStarted();
      return isStarted ? 'some' : 'nothing';
    },
    idle: async () => {},
  };
}
