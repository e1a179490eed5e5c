import type { AttemptOutcome } from '../domain/delivery.js';

/** One POST to a partner's endpoint. */
export interface WebhookRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Sent unchanged. */
  readonly body: string;
}

/** Carries attempts to partners' endpoints. */
export interface WebhookTransport {
  /**
   * Sends one attempt. Every way it can end is an outcome. One deadline covers the name, the connection, TLS, the
   * request, and the status. Redirects are not followed. One that has not ended after five to eight minutes counts as a
   * time-out, and nobody waits for it any more.
   *
   * @throws NetworkUnavailable where this machine lacks what it takes to send anything, and only then: the attempt is
   *   not counted, and the event goes out some seconds later.
   */
  post(request: WebhookRequest): Promise<AttemptOutcome>;
  /** Closes idle connections; attempts under way end first, or are broken off as soon as the signal aborts. */
  close(giveUp?: AbortSignal): Promise<void>;
}
