import type { EndpointRepository } from '../ports/repositories.js';
import type { Clock } from '../ports/runtime.js';
import type { Logger, Telemetry } from '../ports/telemetry.js';

/** Bounds what one collection reads of an endpoint that is far behind: a millisecond or so. */
const COUNT_LIMIT = 1_000;

/** Offers what waits to be sent, read when somebody collects. What comes back ends it. */
export function observeBacklog(
  telemetry: Telemetry,
  endpoints: Pick<EndpointRepository, 'measureBacklog'>,
  clock: Pick<Clock, 'now'>,
  logger: Logger,
): () => void {
  async function read(): Promise<readonly number[] | null> {
    try {
      const now = clock.now();
      const { due, oldestAt } = await endpoints.measureBacklog(now, COUNT_LIMIT);
      return [due, oldestAt === null ? 0 : Math.max(0, now - oldestAt) / 1_000];
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
