import { hmac } from './hmac.js';
import { bodyText, isRawBody, type RawBody } from './raw-body.js';
import { requireThat } from './require-that.js';
import { SIGNATURE_HEADER, TIMESTAMP_HEADER } from './signature-header.js';
import { listSecrets, type SigningSecret } from './signatures.js';

/** Options of `signWebhook`. */
export interface SignWebhookOptions {
  /** The exact body to send. */
  readonly body: RawBody;
  /** The signing secret, or a list during a rotation. Each secret adds a `v1` entry to the header. */
  readonly secret: SigningSecret;
  /** Whole Unix seconds; default now. */
  readonly timestamp?: number | undefined;
}

/** The two signature headers. */
export type WebhookSignatureHeaders = Readonly<
  Record<typeof SIGNATURE_HEADER | typeof TIMESTAMP_HEADER, string>
>;

/**
 * Signs a body as the service does. Use it to test your receiver.
 * @throws TypeError if an option is invalid.
 * @example
 * ```ts
 * const body = JSON.stringify(event);
 * const headers = await signWebhook({ body, secret: 'whsec_for_tests' });
 * await fetch('http://localhost:3000/webhooks', { method: 'POST', headers: { ...headers }, body });
 * ```
 */
export async function signWebhook(options: SignWebhookOptions): Promise<WebhookSignatureHeaders> {
  const { body, secret, timestamp = Math.floor(Date.now() / 1000) } = options;
  const secrets = listSecrets(secret);
  const text = isRawBody(body) ? bodyText(body) : null;
  requireThat(text !== null, 'body must be text or UTF-8 bytes.');
  requireThat(Number.isSafeInteger(timestamp) && timestamp >= 0, 'timestamp must be whole Unix seconds.');
  const signatures = await Promise.all(secrets.map((key) => hmac(key, `${timestamp}.${text}`)));
  return {
    [SIGNATURE_HEADER]: `t=${timestamp},v1=${signatures.join(',v1=')}`,
    [TIMESTAMP_HEADER]: String(timestamp),
  };
}
