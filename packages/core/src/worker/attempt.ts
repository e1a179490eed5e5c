import type { AttemptEnd, AttemptOutcome } from '../domain/delivery.js';
import type { Endpoint } from '../domain/endpoint.js';
import type { PartnerEvent } from '../domain/event.js';
import { SIGNATURE_HEADER, signatureHeaders, TIMESTAMP_HEADER } from '../domain/signature.js';
import { MINUTE_MS } from '../domain/time.js';
import type { Clock } from '../ports/runtime.js';
import type { SecretBox } from '../ports/secret-box.js';
import type { WebhookTransport } from '../ports/webhook-transport.js';
import type { StorageClock } from '../storage-clock.js';
import { type AttemptObserver, UNOBSERVED_ATTEMPTS } from './attempt-observer.js';
import { createSharedDeadline, DeadlinePassed, type SharedDeadline } from './deadline.js';
import { openSigners } from './open-signers.js';

/** What attempts need of the outside. */
export interface AttemptPorts {
  readonly transport: WebhookTransport;
  readonly secretBox: SecretBox;
  /** Measures how long an attempt takes, and its deadline. */
  readonly clock: Clock;
  /** Dates the signature, and the end of the attempt, from which the next one is counted. */
  readonly storageClock: Pick<StorageClock, 'now'>;
  /** Watches attempts; nobody does unless given. */
  readonly observer?: AttemptObserver;
}

/** Names the sender to receivers that keep logs or allow lists. */
const USER_AGENT = 'Partner-Hiring-Webhooks/1.0';

/**
 * Ten times what the default transport takes at most. It is for a host's own that never answers, which would keep
 * its place in the worker for good.
 */
const ATTEMPT_MS = 5 * MINUTE_MS;

const NEVER_ENDED: AttemptOutcome = {
  kind: 'failed',
  failure: 'timed_out',
  message: `The transport did not end within ${ATTEMPT_MS / MINUTE_MS} minutes.`,
};

const deadlines = new WeakMap<Clock, SharedDeadline>();

function deadlineOf(clock: Clock): SharedDeadline {
  const known = deadlines.get(clock);
  if (known !== undefined) return known;
  const deadline = createSharedDeadline(clock, ATTEMPT_MS);
  deadlines.set(clock, deadline);
  return deadline;
}

/**
 * Sends an event once: signs it with every secret that is valid now, posts its stored bytes, and says how
 * that ended. Spec: Events, request headers on each delivery.
 *
 * @throws SecretsUnreadable before anything is sent.
 */
export async function attempt(
  { transport, secretBox, clock, storageClock, observer = UNOBSERVED_ATTEMPTS }: AttemptPorts,
  endpoint: Endpoint,
  event: PartnerEvent,
): Promise<AttemptEnd> {
  const startedAt = clock.now();
  const signedAt = storageClock.now();
  const signers = openSigners(secretBox, endpoint, signedAt);
  const { body } = event;
  // By name: to spread them takes several times as long.
  const signed = signatureHeaders(signers, signedAt, body);
  const headers = {
    'Content-Type': 'application/json',
    'User-Agent': USER_AGENT,
    [SIGNATURE_HEADER]: signed[SIGNATURE_HEADER],
    [TIMESTAMP_HEADER]: signed[TIMESTAMP_HEADER],
  };
  const watched = observer.begin(endpoint, event);
  let outcome: AttemptOutcome;
  try {
    const withDeadline = deadlineOf(clock);
    outcome = await watched.run(() => withDeadline(transport.post({ url: endpoint.url, headers, body })));
  } catch (error) {
    if (!(error instanceof DeadlinePassed)) {
      watched.broke();
      throw error;
    }
    outcome = NEVER_ENDED;
  }
  watched.end(outcome);
  // A clock that was set back meanwhile makes no attempt shorter than nothing.
  return { outcome, endedAt: storageClock.now(), latencyMs: Math.max(0, clock.now() - startedAt) };
}
