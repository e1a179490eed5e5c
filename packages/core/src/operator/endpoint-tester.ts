import { type AttemptEnd, isSuccess } from '../domain/delivery.js';
import {
  createEvent,
  EVENT_TYPES,
  type EventFact,
  type EventType,
  type PartnerEvent,
} from '../domain/event.js';
import type { IdSource } from '../ports/runtime.js';
import type { EndpointTarget } from './endpoints.js';
import { findEndpoint } from './find-or-throw.js';
import { inspect, inspectChoice } from './input.js';
import type { Runner } from './scope.js';

/** The result of a test delivery. */
export interface TestDelivery extends AttemptEnd {
  readonly event: PartnerEvent;
  readonly isSuccess: boolean;
}

/**
 * Tests endpoints. `operator.within` does not offer this, because a test would keep the host's transaction
 * open.
 */
export interface EndpointTester {
  /**
   * Sends one signed sample event, `job.opened` by default. A paused endpoint gets it too. Records nothing.
   * @throws OperatorError `INVALID_INPUT`, `ENDPOINT_NOT_FOUND`, or `MISCONFIGURED` if the signing secrets
   *   cannot be decrypted.
   * @example
   * const { isSuccess, outcome, latencyMs } = await operator.endpoints.test({ keyId, type: 'job.closed' });
   */
  test(target: EndpointTarget & { readonly type?: EventType | undefined }): Promise<TestDelivery>;
}

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
