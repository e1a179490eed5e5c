import { type AttemptEnd, isSuccess } from '../../domain/delivery.js';
import {
  createEvent,
  EVENT_TYPES,
  type EventFact,
  type EventType,
  type PartnerEvent,
} from '../../domain/event.js';
import type { IdSource } from '../../ports/runtime.js';
import { findEndpoint } from '../endpoints/find-endpoint.js';
import type { EndpointTarget } from '../endpoints.js';
import { inspect, inspectChoice } from '../input/inspection.js';
import type { Runner } from '../scope.js';

/** How a test delivery went. */
export interface TestDelivery extends AttemptEnd {
  /** What was sent. Its ids exist nowhere. */
  readonly event: PartnerEvent;
  /** Whether a delivery would have been done with that. */
  readonly isSuccess: boolean;
}

/** Tries endpoints out. */
export interface EndpointTester {
  /**
   * Sends a sample event at once, also to a paused endpoint: one of the documented types, `job.opened` if it
   * is left out, signed with the endpoint's secrets, with ids that exist nowhere. Neither health nor log nor
   * deliveries change. Not within a transaction of the host, which would stay open for as long as it takes.
   *
   * @throws OperatorError `INVALID_INPUT`, `ENDPOINT_NOT_FOUND`, or `MISCONFIGURED` if a signing secret cannot
   *   be opened.
   */
  test(target: EndpointTarget & { readonly type?: EventType }): Promise<TestDelivery>;
}

/** Builds what tries endpoints out. */
export function endpointTester({ read, now, settings }: Runner): EndpointTester {
  const { runtime, sendOnce } = settings;
  return {
    async test({ keyId, type = 'job.opened' }) {
      const inspection = inspect('endpoints.test');
      inspectChoice(inspection, type, 'type', EVENT_TYPES);
      inspection.end();
      const endpoint = await findEndpoint(read, keyId);
      const fact = sampleFact(type, runtime.ids);
      const event = createEvent(runtime.ids.next('event'), keyId, await now(), fact);
      const end = await sendOnce(endpoint, event);
      return { event, isSuccess: isSuccess(end.outcome), ...end };
    },
  };
}

/** A fact about things that do not exist, so that no partner's parser meets a type or a form it does not know. */
function sampleFact(type: EventType, ids: IdSource): EventFact {
  const jobId = ids.next('job');
  switch (type) {
    case 'application.status_changed':
      return {
        type,
        application: {
          id: ids.next('application'),
          sourceApplicationId: 'test-delivery',
          jobId,
          stage: 'hired',
        },
        oldStatus: 'in_progress',
        newStatus: 'accepted',
      };
    case 'job.opened':
      return { type, jobId, companyId: ids.next('company'), title: 'Test delivery' };
    case 'job.closed':
      return { type, jobId, companyId: ids.next('company'), reason: 'closed_by_customer' };
  }
}
