import type { WebhookRequest, WebhookTransport } from '@partner-hiring/core/ports';
import type { AttemptOutcome } from '../../packages/core/src/domain/delivery.js';

/** A transport that records every attempt and answers as the story says. */
export interface RecordingTransport extends WebhookTransport {
  readonly attempts: readonly WebhookRequest[];
  /** How attempts are answered from now on; `ok` at first. */
  answerWith(answer: (request: WebhookRequest) => AttemptOutcome | Promise<AttemptOutcome>): void;
  /** The parsed bodies of the attempts, in their order. */
  events(): readonly ReceivedEvent[];
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

/** A partner's endpoint without a network. */
export function createRecordingTransport(): RecordingTransport {
  const attempts: WebhookRequest[] = [];
  let answer: (request: WebhookRequest) => AttemptOutcome | Promise<AttemptOutcome> = () => answered(200);
  return {
    attempts,
    answerWith: (next) => {
      answer = next;
    },
    events: () => attempts.map(({ body }) => JSON.parse(body) as ReceivedEvent),
    post: async (request) => {
      attempts.push(request);
      return answer(request);
    },
    close: async () => {},
  };
}
