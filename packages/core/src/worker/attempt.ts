import type { AttemptEnd, AttemptOutcome } from '../domain/delivery.js';
import { type Endpoint, type SealedSigningSecret, signingSecrets } from '../domain/endpoint.js';
import type { PartnerEvent } from '../domain/event.js';
import type { KeyId } from '../domain/ids.js';
import {
  createSigner,
  SIGNATURE_HEADER,
  type Signer,
  signatureHeaders,
  TIMESTAMP_HEADER,
} from '../domain/signature.js';
import { type Instant, MINUTE_MS } from '../domain/time.js';
import type { Clock } from '../ports/runtime.js';
import type { SecretBox } from '../ports/secret-box.js';
import type { WebhookTransport } from '../ports/webhook-transport.js';
import { createSharedDeadline, DeadlinePassed, type SharedDeadline } from './deadline.js';

/** What attempts need of the outside. */
export interface AttemptPorts {
  readonly transport: WebhookTransport;
  readonly secretBox: SecretBox;
  readonly clock: Clock;
  /** Watches attempts; nobody does unless given. */
  readonly observer?: AttemptObserver;
}

/** Watches attempts. */
export interface AttemptObserver {
  /** An attempt begins. */
  begin(endpoint: Endpoint, event: PartnerEvent): ObservedAttempt;
}

/** One attempt that is watched, from its beginning to its end. */
export interface ObservedAttempt {
  /** Makes the attempt, so that whatever it calls belongs to it. */
  run<Result>(post: () => Result): Result;
  /** It ended. */
  end(outcome: AttemptOutcome): void;
  /** The transport failed, which it must not. */
  broke(): void;
}

const UNWATCHED: ObservedAttempt = { run: (post) => post(), end: () => {}, broke: () => {} };

/** Watches nothing. */
export const UNOBSERVED_ATTEMPTS: AttemptObserver = { begin: () => UNWATCHED };

/** Names the sender to receivers that keep logs or allow lists. */
export const USER_AGENT = 'Partner-Hiring-Webhooks/1.0';

/**
 * Ten times what the default transport takes at most. It is for a host's own that never answers, which would keep
 * its place in the worker for good.
 */
export const ATTEMPT_MS = 5 * MINUTE_MS;

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

/** The endpoint's signing secrets cannot be had: nothing was sent, and nothing may be counted. */
export class SecretsUnreadable extends Error {
  override readonly name = 'SecretsUnreadable';
}

/**
 * Sends an event once: signs it with every secret that is valid now, posts its stored bytes, and says how
 * that ended. Spec: Events, request headers on each delivery.
 *
 * @throws SecretsUnreadable before anything is sent.
 */
export async function attempt(
  { transport, secretBox, clock, observer = UNOBSERVED_ATTEMPTS }: AttemptPorts,
  endpoint: Endpoint,
  event: PartnerEvent,
): Promise<AttemptEnd> {
  const startedAt = clock.now();
  const signers = openSecrets(secretBox, endpoint, startedAt);
  const { body } = event;
  // By name: to spread them takes several times as long.
  const signed = signatureHeaders(signers, startedAt, body);
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
  const endedAt = clock.now();
  // A clock that was set back meanwhile makes no attempt shorter than nothing.
  return { outcome, endedAt, latencyMs: Math.max(0, endedAt - startedAt) };
}

/**
 * What signs with a secret, by the object that an endpoint carries the secret in, gone with it: opening one
 * costs more than signing with it, and an endpoint is read once for many attempts.
 */
const opened = new WeakMap<SealedSigningSecret, { readonly by: SecretBox; readonly sign: Signer }>();

function open(secretBox: SecretBox, sealed: SealedSigningSecret, keyId: KeyId): Signer {
  const known = opened.get(sealed);
  if (known?.by === secretBox) return known.sign;
  const sign = createSigner(secretBox.open(sealed.sealed, { purpose: 'webhook_signing_secret', keyId }));
  opened.set(sealed, { by: secretBox, sign });
  return sign;
}

function openSecrets(secretBox: SecretBox, endpoint: Endpoint, at: Instant): readonly Signer[] {
  const sealed = signingSecrets(endpoint, at);
  if (sealed.length === 0) throw new SecretsUnreadable('The endpoint has no valid signing secret.');
  try {
    return sealed.map((secret) => open(secretBox, secret, endpoint.keyId));
  } catch (cause) {
    throw new SecretsUnreadable(
      'A signing secret cannot be opened. Give this process the key that the secrets were sealed with. If it has ' +
        'that key, what is stored was changed: use endpoints.rotateSecret with overlapMs: 0.',
      { cause },
    );
  }
}
