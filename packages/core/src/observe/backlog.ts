import { countBacklog, sumBacklogs } from '../domain/backlog.js';
import type { EndpointRepository } from '../ports/repositories/endpoints.js';
import type { Logger, Telemetry } from '../ports/telemetry.js';
import type { StorageClock } from '../storage-clock.js';

/** Bounds what one collection reads of an endpoint that is far behind: a millisecond or so. */
const COUNT_LIMIT = 1_000;

/** Offers what waits to be sent, read when somebody collects. What comes back ends it. */
export function observeBacklog(
  telemetry: Telemetry,
  endpoints: Pick<EndpointRepository, 'backlogs'>,
  storageClock: Pick<StorageClock, 'sync'>,
  logger: Logger,
): () => void {
  async function read(): Promise<readonly number[] | null> {
    try {
      const now = await storageClock.sync();
      // What is under way is not told: it is among what is due.
      const rules = { now, bound: COUNT_LIMIT, maxInFlight: 0 };
      const backlogs = await endpoints.backlogs(null, now, COUNT_LIMIT);
      const { due, oldestDueMs } = sumBacklogs(
        backlogs.map((backlog) => countBacklog(backlog, rules)),
        now,
      );
      return [due, (oldestDueMs ?? 0) / 1_000];
    } catch (err) {
      logger.error({ err }, 'The backlog could not be read.');
      return null;
    }
  }

  return telemetry.observe(
    [
      {
        name: 'partner_hiring.delivery.due',
        unit: '{event}',
        description: `Events due at active endpoints, at most ${COUNT_LIMIT} of each kind counted for one.`,
      },
      {
        name: 'partner_hiring.delivery.due.age',
        unit: 's',
        description: 'How long the oldest of them has been due; 0 if there is none.',
      },
    ],
    read,
  );
}
