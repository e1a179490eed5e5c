import type { AttemptEnd } from '../domain/delivery.js';
import { type Endpoint, signingSecrets } from '../domain/endpoint.js';
import type { PartnerEvent } from '../domain/event.js';
import { signatureHeaders } from '../domain/signature.js';
import type { Instant } from '../domain/time.js';
import type { Clock } from '../ports/runtime.js';
import type { SecretBox } from '../ports/secret-box.js';
import type { WebhookTransport } from '../ports/webhook-transport.js';

/** What attempts need of the outside. */
export interface AttemptPorts {
  readonly transport: WebhookTransport;
  readonly secretBox: SecretBox;
  readonly clock: Clock;
}

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
  { transport, secretBox, clock }: AttemptPorts,
  endpoint: Endpoint,
  event: PartnerEvent,
): Promise<AttemptEnd> {
  const startedAt = clock.now();
  const secrets = openSecrets(secretBox, endpoint, startedAt);
  const headers = {
    'Content-Type': 'application/json',
    'User-Agent': USER_AGENT,
    ...signatureHeaders(secrets, startedAt, event.body),
  };
  const outcome = await transport.post({ url: endpoint.url, headers, body: event.body });
  const endedAt = clock.now();
  // A clock that was set back meanwhile makes no attempt shorter than nothing.
  return { outcome, endedAt, latencyMs: Math.max(0, endedAt - startedAt) };
}

function openSecrets(secretBox: SecretBox, endpoint: Endpoint, at: Instant): readonly string[] {
  const sealed = signingSecrets(endpoint, at);
  if (sealed.length === 0) throw new SecretsUnreadable('The endpoint has no valid signing secret.');
  try {
    return sealed.map((secret) => secretBox.open(secret.sealed));
  } catch (cause) {
    throw new SecretsUnreadable(
      'A signing secret cannot be opened. Give this process the key that the secrets were sealed with.',
      { cause },
    );
  }
}
