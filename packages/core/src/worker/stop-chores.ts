import type { Clock } from '../ports/runtime.js';
import type { Logger } from '../ports/telemetry.js';
import type { Chores } from './chores.js';
import type { Chore } from './loop.js';
import { startTimeLimit } from './time-limit.js';

/** Ends all chores, and cuts off what has not ended within that time: it is done again, and a warning names the chores. */
export async function stopChores(
  chores: Chores,
  stopWithinMs: number,
  clock: Clock,
  logger: Logger,
): Promise<void> {
  const left = new Set(chores.all.map(({ chore }) => chore));
  const limit = startTimeLimit(clock, stopWithinMs);
  await limit.waitFor(endWhatIsUnderWay(chores, left));
  limit.end();
  chores.deliveries.chore.abandon();
  if (left.size === 0) return;
  const names = [...left].map(({ name }) => name);
  logger.warn(
    { chores: names, stopWithinMs },
    'The worker did not stop in time; what was under way is done again.',
  );
}

/** Each chore leaves `left` once it has ended. */
async function endWhatIsUnderWay({ deliveries, all }: Chores, left: Set<Chore>): Promise<void> {
  const isClosed = deliveries.chore.close();
  await Promise.all(
    all.map(async ({ chore, loop }) => {
      await loop.stop();
      await chore.idle();
      left.delete(chore);
    }),
  );
  await isClosed;
}
