import type { Clock } from '../ports/runtime.js';
import type { Logger } from '../ports/telemetry.js';
import type { PeriodicTask } from './loop.js';
import type { PeriodicTasks } from './periodic-tasks.js';
import { startTimeLimit } from './time-limit.js';

/** Ends all chores, and cuts off what has not ended within that time: it is done again, and a warning names the chores. */
export async function stopPeriodicTasks(
  tasks: PeriodicTasks,
  stopWithinMs: number,
  clock: Clock,
  logger: Logger,
): Promise<void> {
  const left = new Set(tasks.all.map(({ task }) => task));
  const limit = startTimeLimit(clock, stopWithinMs);
  await limit.waitFor(endWhatIsUnderWay(tasks, left));
  limit.end();
  tasks.deliveries.task.abandon();
  if (left.size === 0) return;
  const names = [...left].map(({ name }) => name);
  logger.warn(
    { tasks: names, stopWithinMs },
    'The worker did not stop in time; what was under way is done again.',
  );
}

/** Each chore leaves `left` once it has ended. */
async function endWhatIsUnderWay({ deliveries, all }: PeriodicTasks, left: Set<PeriodicTask>): Promise<void> {
  const isClosed = deliveries.task.close();
  await Promise.all(
    all.map(async ({ task, loop }) => {
      await loop.stop();
      await task.idle();
      left.delete(task);
    }),
  );
  await isClosed;
}
