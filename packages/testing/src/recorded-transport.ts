import { performance } from 'node:perf_hooks';
import type {
  AttemptOutcome,
  EventData,
  EventType,
  WebhookRequest,
  WebhookTransport,
} from '@partner-hiring/core';
import { assertMs, pause } from './virtual-clock.js';

/** An event in the body of a webhook. */
export interface RecordedEvent<Type extends EventType = EventType> {
  /** The id of the event. All attempts to deliver it have the same id. */
  readonly id: string;
  readonly type: Type;
  /** ISO 8601 in UTC. */
  readonly createdAt: string;
  readonly apiVersion: string;
  readonly data: EventData[Type];
}

/** The simulated response to an attempt: an HTTP status, or an outcome. */
export type SimulatedResponse = number | AttemptOutcome;

/** Options of `waitFor`. */
export interface WaitOptions<Type extends EventType> {
  /** Only events that were sent to this webhook URL. */
  readonly url?: string | undefined;
  /** Only events for which this function returns true. */
  readonly where?: ((event: RecordedEvent<Type>) => boolean) | undefined;
  /** How long to wait, in milliseconds of real time. Default: 2,000. */
  readonly timeoutMs?: number | undefined;
}

/** A transport that records webhooks instead of sending them. */
export interface RecordedTransport extends WebhookTransport {
  /** All attempts, in order. */
  readonly attempts: readonly WebhookRequest[];
  /** Returns the event of each attempt, in order. A repeated attempt repeats its event. */
  events(): readonly RecordedEvent[];
  /**
   * Sets the response to further attempts: a status, an outcome, or a function of the request. Before the first call,
   * each attempt gets 200.
   * @example
   * transport.answerWith(503);
   * transport.answerWith(({ url }) => (url.includes('acme') ? 503 : 204));
   */
  answerWith(
    answer: SimulatedResponse | ((request: WebhookRequest) => SimulatedResponse | Promise<SimulatedResponse>),
  ): void;
  /**
   * Returns the first matching event that no earlier call has returned, as soon as an attempt to send it is recorded.
   * The response to the attempt does not matter.
   * @throws Error after `timeoutMs`. The message lists the events that were sent.
   * @example
   * const { data } = await transport.waitFor('application.status_changed', {
   *   where: ({ data }) => data.newStatus === 'accepted',
   * });
   */
  waitFor<Type extends EventType>(type: Type, options?: WaitOptions<Type>): Promise<RecordedEvent<Type>>;
}

/** The default of `timeoutMs`. It is enough for a local database, and less than the usual limit of a test, 5 s. */
const WAIT_MS = 2_000;
const POLL_MS = 5;

/** The real clock, even if the test replaces the global one. */
const realNow = performance.now.bind(performance);

/**
 * Creates a transport that records webhooks. Pass it to `createPartnerHiring` as `transport`.
 * @param sendDue - called while `waitFor` waits. Pass the worker's `drain` if the worker is not started.
 * @example
 * const transport = createRecordedTransport();
 */
export function createRecordedTransport(sendDue: () => Promise<void> = async () => {}): RecordedTransport {
  const attempts: WebhookRequest[] = [];
  const returned = new Set<string>();
  let respond: (request: WebhookRequest) => SimulatedResponse | Promise<SimulatedResponse> = () => 200;

  function take<Type extends EventType>(
    type: Type,
    { url, where = () => true }: WaitOptions<Type>,
  ): RecordedEvent<Type> | undefined {
    for (const attempt of attempts) {
      if (url !== undefined && attempt.url !== url) continue;
      const event = eventOf(attempt);
      if (!isOfType(event, type) || returned.has(event.id) || !where(event)) continue;
      returned.add(event.id);
      return event;
    }
    return undefined;
  }

  return {
    attempts,
    events: () => attempts.map(eventOf),
    answerWith: (answer) => {
      respond = typeof answer === 'function' ? answer : () => answer;
    },
    waitFor: async (type, options = {}) => {
      const { timeoutMs = WAIT_MS } = options;
      assertMs('timeoutMs', timeoutMs);
      const deadline = realNow() + timeoutMs;
      for (;;) {
        const found = take(type, options);
        if (found !== undefined) return found;
        await sendDue();
        const sent = take(type, options);
        if (sent !== undefined) return sent;
        if (realNow() >= deadline) throw new Error(explainMissing(type, options, timeoutMs, attempts));
        await pause(POLL_MS);
      }
    },
    post: async (request) => {
      attempts.push(request);
      const response = await respond(request);
      return typeof response === 'number' ? { kind: 'answered', status: response, excerpt: '' } : response;
    },
    close: async () => {},
  };
}

function eventOf({ body }: WebhookRequest): RecordedEvent {
  return JSON.parse(body) as RecordedEvent;
}

function isOfType<Type extends EventType>(event: RecordedEvent, type: Type): event is RecordedEvent<Type> {
  return event.type === type;
}

function explainMissing(
  type: EventType,
  { url, where }: { readonly url?: string | undefined; readonly where?: unknown },
  timeoutMs: number,
  attempts: readonly WebhookRequest[],
): string {
  const to = url === undefined ? '' : ` to ${url}`;
  const matching = where === undefined ? '' : ' that `where` accepts';
  const sent = attempts.map((attempt) => `${eventOf(attempt).type} to ${attempt.url}`);
  return (
    `No further ${type} event${matching} was sent${to} within ${timeoutMs} ms. ` +
    `Attempts so far: ${sent.length === 0 ? 'none' : sent.join(', ')}. ` +
    'A failed delivery is retried only after you advance the virtual clock.'
  );
}
