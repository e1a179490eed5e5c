import type { AttemptOutcome } from '../domain/delivery.js';

/** One POST to a partner's endpoint. */
export interface WebhookRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Sends webhooks. */
export interface WebhookTransport {
  /**
   * Sends the request and returns failures as outcomes. It must not follow redirects. The worker stops
   * waiting after 5 to 8 minutes.
   * @throws NetworkUnavailable only if this machine cannot reach any server. The attempt is then not
   *   counted.
   */
  post(request: WebhookRequest): Promise<AttemptOutcome>;
  /** Waits for running attempts. When the signal aborts, it aborts them. */
  close(giveUp?: AbortSignal): Promise<void>;
}
