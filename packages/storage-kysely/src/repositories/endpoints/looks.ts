import type {
  DeliveryRepository,
  EndpointRepository,
  EventRepository,
  Instant,
  LookRequest,
  LookResult,
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
export function bindLook(bind: Looked, session: Session): Pick<EndpointRepository, 'look'> {
  return {
    look: (asked, now) =>
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

function toLog({ keyId, after, logLimit }: LookRequest): {
  readonly keyId: LookRequest['keyId'];
  readonly after: Instant;
  readonly limit: number;
} {
  return { keyId, after, limit: logLimit };
}

function toDue({ keyId, dueLimit }: LookRequest): {
  readonly keyId: LookRequest['keyId'];
  readonly limit: number;
} {
  return { keyId, limit: dueLimit };
}

function toResult(
  log: LookResult['log'] = [],
  due: LookResult['due'] = [],
  endpoint: LookResult['endpoint'] = null,
): LookResult {
  return { log, due, endpoint };
}
