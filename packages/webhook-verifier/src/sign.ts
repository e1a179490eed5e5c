import { hmac } from './hmac.js';
import { bodyText, isRawBody, type RawBody } from './raw-body.js';
import { requireThat } from './require-that.js';
import { SIGNATURE_HEADER, TIMESTAMP_HEADER } from './signature-header.js';
import { listSecrets, type SigningSecret } from './signatures.js';

/** What is signed, and by whom. */
export interface SignWebhookOptions {
  /** The body exactly as it will be sent, in UTF-8. */
  readonly body: RawBody;
  /** Several sign as during a rotation: one `v1` entry each. */
  readonly secret: SigningSecret;
  /** Whole Unix seconds; now if left out. */
  readonly timestamp?: number;
}

/** The two headers of a delivery. */
export type WebhookSignatureHeaders = Readonly<
  Record<typeof SIGNATURE_HEADER | typeof TIMESTAMP_HEADER, string>
>;

/**
 * Signs a body as the service does: for the tests of your own receiver.
 *
 * @throws TypeError if an option is not what its type says.
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
