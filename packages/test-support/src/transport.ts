import { createContract } from '@partner-hiring/conformance';
import { createOpenApiDocument } from '@partner-hiring/core/openapi';
import type { WebhookRequest, WebhookTransport } from '@partner-hiring/core/ports';
import type { AttemptOutcome } from '../../core/src/domain/delivery.js';

/** A transport that records attempts and returns scripted responses. */
export interface RecordingTransport extends WebhookTransport {
  readonly attempts: readonly WebhookRequest[];
  /** The response to further attempts; initially `ok`. */
  answerWith(answer: (request: WebhookRequest) => AttemptOutcome | Promise<AttemptOutcome>): void;
  /** The parsed bodies of the attempts, in order. */
  events(): readonly ReceivedEvent[];
  /** Bodies that violate the OpenAPI document. Closing the fixture expects none. */
  readonly undescribed: readonly string[];
}

/** A parsed event. */
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
  const attempts: WebhookRequest[] = [];
  const undescribed: string[] = [];
  let answer: (request: WebhookRequest) => AttemptOutcome | Promise<AttemptOutcome> = () => answered(200);
  return {
    attempts,
    undescribed,
    answerWith: (next) => {
      answer = next;
    },
    events: () => attempts.map(({ body }) => JSON.parse(body) as ReceivedEvent),
    post: async (request) => {
      attempts.push(request);
      undescribed.push(...CONTRACT.checkDelivery(request));
      return answer(request);
    },
    close: async () => {},
  };
}
