import type {
  DeliveryRepository,
  EndpointRepository,
  EventRepository,
  Instant,
  PollRequest,
  PollResult,
} from '@partner-hiring/core/ports';
import type { Session } from '../../session.js';
import { createRunSession } from '../../session.js';

/** The repositories that a look goes through. */
export interface Looked {
  readonly events: (session: Session) => Pick<EventRepository, 'readLogs'>;
  readonly deliveries: (session: Session) => Pick<DeliveryRepository, 'listDue'>;
  readonly endpoints: (session: Session) => Pick<EndpointRepository, 'findEach'>;
}

/** What is to be sent: three statements on one connection, in their order, without a wait between them. */
export function bindPoll(bind: Looked, session: Session): Pick<EndpointRepository, 'poll'> {
  return {
    poll: (asked, now) =>
      session.read(async (run) => {
        const together = createRunSession(run);
        const [logs, dues, endpoints] = await Promise.all([
          bind.events(together).readLogs(asked.map(toLog)),
          bind.deliveries(together).listDue(asked.map(toDue), now),
          bind.endpoints(together).findEach(asked.map(({ keyId }) => keyId)),
        ]);
        return asked.map((_, index) => toResult(logs[index], dues[index], endpoints[index]));
      }),
  };
}

function toLog({ keyId, after, logLimit }: PollRequest): {
  readonly keyId: PollRequest['keyId'];
  readonly after: Instant;
  readonly limit: number;
} {
  return { keyId, after, limit: logLimit };
}

function toDue({ keyId, dueLimit }: PollRequest): {
  readonly keyId: PollRequest['keyId'];
  readonly limit: number;
} {
  return { keyId, limit: dueLimit };
}

function toResult(
  log: PollResult['log'] = [],
  due: PollResult['due'] = [],
  endpoint: PollResult['endpoint'] = null,
): PollResult {
  return { log, due, endpoint };
}
