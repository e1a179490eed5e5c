import { type AttemptEnd, isSuccess } from '../../domain/delivery.js';
import { EVENT_TYPES, type EventType, type PartnerEvent } from '../../domain/event.js';
import { onKey } from '../../operator/command/claims.js';
import type { Definitions } from '../../operator/command/definition.js';
import { id, oneOf, optional } from '../../operator/command/fields.js';
import { record } from '../../operator/command/input.js';
import { findEndpoint } from '../../operator/find-or-throw.js';
import { recordAct } from '../../operator/scope.js';
import type { EndpointTarget } from './change-endpoint.js';
import { createTestEvent } from './test-event.js';

/** The result of a test delivery. */
export interface TestDelivery extends AttemptEnd {
  readonly event: PartnerEvent;
  /** Whether the endpoint answered 2xx. */
  readonly isSuccess: boolean;
}

/**
 * Tests endpoints. `operator.within` does not offer this, because a test would keep the host's transaction
 * open.
 */
export interface EndpointTester {
  /**
   * Sends one signed test event, `job.opened` by default. Its ids have ten zeros after their prefix, as in
   * `evt_0000000000`. A paused endpoint gets it too. No delivery is stored.
   * @throws OperatorError `ENDPOINT_NOT_FOUND`; `MISCONFIGURED` if the signing secrets cannot be decrypted.
   * @example
   * const { isSuccess, outcome, latencyMs } = await operator.endpoints.test({ keyId, type: 'job.closed' });
   */
  test(target: EndpointTarget & { readonly type?: EventType | undefined }): Promise<TestDelivery>;
}

export const endpointTesterDefinitions: Definitions<EndpointTester> = {
  test: {
    summary: 'Sends a signed sample event now, even to a paused endpoint',
    input: record({
      keyId: id('key'),
      type: optional(oneOf(EVENT_TYPES), 'The type of the event, default job.opened'),
    }),
    pastTense: 'sent a test event to the endpoint',
    right: 'endpoints:test',
    claims: onKey,
    run: async ({ commit, now, settings: { runtime, sendOnce } }, { keyId, type = 'job.opened' }) => {
      const endpoint = await commit(async (scope) => {
        const found = await findEndpoint(scope.tx, keyId);
        recordAct(scope, { objects: [{ kind: 'endpoint', id: keyId }], keyId });
        return found;
      });
      const event = createTestEvent(type, keyId, await now(), runtime.ids);
      const end = await sendOnce(endpoint, event);
      return { event, isSuccess: isSuccess(end.outcome), ...end };
    },
  },
};
