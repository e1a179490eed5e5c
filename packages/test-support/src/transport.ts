import { createContract } from '@partner-hiring/conformance';
import { createOpenApiDocument } from '@partner-hiring/core/openapi';
import type { WebhookRequest, WebhookTransport } from '@partner-hiring/core/ports';
import type { AttemptOutcome } from '../../core/src/domain/delivery.js';

/** A transport that records every attempt and answers as the story says. */
export interface RecordingTransport extends WebhookTransport {
  readonly attempts: readonly WebhookRequest[];
  /** How attempts are answered from now on; `ok` at first. */
  answerWith(answer: (request: WebhookRequest) => AttemptOutcome | Promise<AttemptOutcome>): void;
  /** The parsed bodies of the attempts, in their order. */
  events(): readonly ReceivedEvent[];
  /** What was sent that the OpenAPI document does not describe; a world that closes expects none. */
  readonly undescribed: readonly string[];
}

/** An event as a partner reads it. */
export interface ReceivedEvent {
  readonly id: string;
  readonly type: string;
  readonly createdAt: string;
  readonly apiVersion: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** An answer with that status. */
export function answered(status: number): AttemptOutcome {
  return { kind: 'answered', status, excerpt: '' };
}

/** No answer at all. */
export const UNREACHABLE: AttemptOutcome = {
  kind: 'failed',
  failure: 'connection_failed',
  message: 'refused',
};

const CONTRACT = createContract(createOpenApiDocument());

/** A partner's endpoint without a network. */
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
