import type { AttemptOutcome } from '../domain/delivery.js';
import { MINUTE_MS } from '../domain/time.js';
import type { WebhookTransport } from '../ports/host-services.js';
import type { Clock } from '../ports/runtime.js';
import { createSharedDeadline, DeadlinePassed } from './host-deadline.js';

/** Ten times the timeout of the library's own transport. */
const ATTEMPT_MS = 5 * MINUTE_MS;

const TIMED_OUT: AttemptOutcome = {
  kind: 'failed',
  failure: 'timed_out',
  message: `The transport did not end within ${ATTEMPT_MS / MINUTE_MS} minutes.`,
};

/**
 * Gives up attempts of a host's transport that never end. The library's own transport needs no guard, because it ends
 * every attempt itself.
 */
export function guardTransport(transport: WebhookTransport, clock: Clock): WebhookTransport {
  const withDeadline = createSharedDeadline(clock, ATTEMPT_MS);
  return {
    post: (request) =>
      withDeadline(transport.post(request)).catch((error: unknown) => {
        if (error instanceof DeadlinePassed) return TIMED_OUT;
        throw error;
      }),
    close: (giveUp) => transport.close(giveUp),
  };
}
