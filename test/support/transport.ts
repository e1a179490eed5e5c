import { createContract } from '@partner-hiring/conformance';
import { createOpenApiDocument } from '@partner-hiring/partner-docs';
import { createRecordedTransport, type RecordedTransport } from '@partner-hiring/testing';
import type { AttemptOutcome } from '../../packages/core/src/domain/delivery.js';

/** A transport that records attempts, returns scripted responses and checks the bodies. */
export interface RecordingTransport extends Omit<RecordedTransport, 'events'> {
  /** The parsed bodies of the attempts, in order. */
  events(): readonly ReceivedEvent[];
  /** Webhook bodies that violate the OpenAPI document. Closing the fixture fails if there are any. */
  readonly undescribed: readonly string[];
}

/** A parsed event, loosely typed for assertions. */
export interface ReceivedEvent {
  readonly id: string;
  readonly type: string;
  readonly createdAt: string;
  readonly apiVersion: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** A response with that status. */
export function answered(status: number): AttemptOutcome {
  return { kind: 'answered', status, excerpt: '' };
}

/** No response. */
export const UNREACHABLE: AttemptOutcome = {
  kind: 'failed',
  failure: 'connection_failed',
  message: 'refused',
};

const CONTRACT = createContract(createOpenApiDocument());

/** An endpoint without a network. */
export function createRecordingTransport(): RecordingTransport {
  const transport = createRecordedTransport();
  const undescribed: string[] = [];
  return {
    ...transport,
    undescribed,
    post: async (request) => {
      undescribed.push(...CONTRACT.checkDelivery(request));
      return transport.post(request);
    },
  };
}
