import { digests, listSecrets, type SigningSecret } from './hmac.js';
import { isRawBody, type RawBody, signingInput } from './raw-body.js';
import { formatSignatureHeader, SIGNATURE_HEADER, TIMESTAMP_HEADER } from './signature-header.js';

/** What is signed, and by whom. */
export interface SignWebhookOptions {
  /** The body exactly as it will be sent. */
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
  if (!isRawBody(body)) throw new TypeError('body must be the text or the bytes that will be sent.');
  if (!Number.isSafeInteger(timestamp) || timestamp < 0) {
    throw new TypeError('timestamp must be whole Unix seconds.');
  }
  const text = String(timestamp);
  const signatures = await digests(listSecrets(secret), signingInput(text, body));
  return {
    [SIGNATURE_HEADER]: formatSignatureHeader({ timestamp: text, signatures }),
    [TIMESTAMP_HEADER]: text,
  };
}
