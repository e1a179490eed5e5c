import { countBacklog, sumBacklogs } from '../domain/backlog.js';
import type { EndpointCommands } from '../groups/deliveries/endpoint-commands.js';
import type { EndpointRepository } from '../ports/repositories/endpoints.js';
import type { Logger, Telemetry } from '../ports/telemetry.js';
import type { StorageClock } from '../storage-clock.js';

export interface EndpointObserver {
  paused(reason: string): void;
  resumed(reason: string): void;
}

export function createEndpointObserver(telemetry: Telemetry): EndpointObserver {
  const pauses = telemetry.counter({
    name: 'partner_hiring.endpoint.pauses',
    unit: '{pause}',
    description: 'Endpoints that were paused, by reason.',
    attributes: ['partner_hiring.pause.reason'],
  });
  const resumes = telemetry.counter({
    name: 'partner_hiring.endpoint.resumes',
    unit: '{resume}',
    description: 'Endpoints that were resumed, by the reason that had paused them.',
    attributes: ['partner_hiring.pause.reason'],
  });
  return {
    paused: (reason) => pauses(1, { 'partner_hiring.pause.reason': reason }),
    resumed: (reason) => resumes(1, { 'partner_hiring.pause.reason': reason }),
  };
}

/**
 * Counts pauses and resumes. A command in a host's transaction counts when it returns, because the library
 * does not see the commit.
 */
export function observeEndpointCommands<Commands extends EndpointCommands>(
  commands: Commands,
  observer: EndpointObserver,
  logger: Logger,
  who: 'The operator' | 'A partner' = 'The operator',
): Commands {
  return {
    ...commands,
    async pause(target) {
      const outcome = await commands.pause(target);
      if (outcome.changed) {
        const reason = who === 'A partner' ? 'partner' : 'operator';
        observer.paused(reason);
        logger.warn({ keyId: target.keyId, reason }, `${who} paused a webhook endpoint.`);
      }
      return outcome;
    },
    async resume(target) {
      const outcome = await commands.resume(target);
      const { pausedReason: reason, changed } = outcome;
      if (changed && reason !== null) {
        observer.resumed(reason);
        logger.warn({ keyId: target.keyId, reason }, `${who} resumed a webhook endpoint.`);
      }
      return outcome;
    },
  };
}

/** The most events to count per endpoint and kind. Counting them takes about a millisecond. */
const COUNT_LIMIT = 1_000;
/** The most failing endpoints to count. More than this have a common cause. Counting takes some milliseconds. */
const FAILING_LIMIT = 10_000;

export function observeBacklog(
  telemetry: Telemetry,
  endpoints: Pick<EndpointRepository, 'backlogs' | 'countFailing' | 'countSlowed'>,
  storageClock: Pick<StorageClock, 'sync'>,
  logger: Logger,
): () => void {
  async function read(): Promise<readonly number[] | null> {
    try {
      const now = await storageClock.sync();
      // Events that are being sent count as due.
      const rules = { now, bound: COUNT_LIMIT, maxInFlight: 0 };
      const backlogs = await endpoints.backlogs(null, now, COUNT_LIMIT);
      const { due, oldestWaitingMs } = sumBacklogs(
        backlogs.map((backlog) => countBacklog(backlog, rules)),
        now,
      );
      const failing = await endpoints.countFailing(FAILING_LIMIT);
      const slowed = await endpoints.countSlowed(FAILING_LIMIT);
      return [due, (oldestWaitingMs ?? 0) / 1_000, failing, slowed];
    } catch (err) {
      logger.error({ err }, 'Reading the delivery backlog failed.');
      return null;
    }
  }

  return telemetry.observe(
    [
      {
        name: 'partner_hiring.delivery.due',
        unit: '{event}',
        description: `Events due at active endpoints. Counts of one endpoint stop at ${COUNT_LIMIT} of each kind.`,
      },
      {
        name: 'partner_hiring.delivery.due.age',
        unit: 's',
        description:
          'How long the oldest event of an active endpoint has waited, even for a retry, but not behind a gap. It is 0 if none waits.',
      },
      {
        name: 'partner_hiring.endpoint.failing',
        unit: '{endpoint}',
        description: `Endpoints whose last attempt failed, even paused ones, up to ${FAILING_LIMIT}.`,
      },
      {
        name: 'partner_hiring.endpoint.slowed',
        unit: '{endpoint}',
        description: `Endpoints that are sent to slowly, with a gap between attempts, up to ${FAILING_LIMIT}.`,
      },
    ],
    read,
  );
}
