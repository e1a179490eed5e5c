import type { AttemptEnd, AttemptOutcome } from '../domain/delivery.js';
import { type Endpoint, type SealedSigningSecret, signingSecrets } from '../domain/endpoint.js';
import type { PartnerEvent } from '../domain/event.js';
import { createSigner, type Signer, signatureHeaders } from '../domain/signature.js';
import type { Instant } from '../domain/time.js';
import type { Clock } from '../ports/runtime.js';
import type { SecretBox } from '../ports/secret-box.js';
import type { WebhookTransport } from '../ports/webhook-transport.js';

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
  /** Watches one from its beginning to its end: it makes the attempt by calling `post`, once. */
  attempt(
    endpoint: Endpoint,
    event: PartnerEvent,
    post: () => Promise<AttemptOutcome>,
  ): Promise<AttemptOutcome>;
}

/** Watches nothing. */
export const UNOBSERVED: AttemptObserver = { attempt: (_endpoint, _event, post) => post() };

/** Names the sender to receivers that keep logs or allow lists. */
export const USER_AGENT = 'Partner-Hiring-Webhooks/1.0';

/** None of the endpoint's signing secrets can be had: nothing was sent, and nothing may be counted. */
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
  { transport, secretBox, clock, observer = UNOBSERVED }: AttemptPorts,
  endpoint: Endpoint,
  event: PartnerEvent,
): Promise<AttemptEnd> {
  const startedAt = clock.now();
  const signers = openSecrets(secretBox, endpoint, startedAt);
  const headers = {
    'Content-Type': 'application/json',
    'User-Agent': USER_AGENT,
    ...signatureHeaders(signers, startedAt, event.body),
  };
  const outcome = await observer.attempt(endpoint, event, () =>
    transport.post({ url: endpoint.url, headers, body: event.body }),
  );
  const endedAt = clock.now();
  // A clock that was set back meanwhile makes no attempt shorter than nothing.
  return { outcome, endedAt, latencyMs: Math.max(0, endedAt - startedAt) };
}

/**
 * What signs with a secret, by the object that an endpoint carries the secret in, gone with it: opening one
 * costs more than signing with it, and an endpoint is read once for many attempts.
 */
const opened = new WeakMap<SealedSigningSecret, { readonly by: SecretBox; readonly sign: Signer }>();

function open(secretBox: SecretBox, sealed: SealedSigningSecret): Signer {
  const known = opened.get(sealed);
  if (known?.by === secretBox) return known.sign;
  const sign = createSigner(secretBox.open(sealed.sealed));
  opened.set(sealed, { by: secretBox, sign });
  return sign;
}

function openSecrets(secretBox: SecretBox, endpoint: Endpoint, at: Instant): readonly Signer[] {
  const sealed = signingSecrets(endpoint, at);
  if (sealed.length === 0) throw new SecretsUnreadable('The endpoint has no valid signing secret.');
  try {
    return sealed.map((secret) => open(secretBox, secret));
  } catch (cause) {
    throw new SecretsUnreadable(
      'A signing secret cannot be opened. Give this process the key that the secrets were sealed with.',
      { cause },
    );
  }
}
