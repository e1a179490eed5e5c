import { type PartnerEvent, readEvent } from './events.js';
import { headerValue, type WebhookHeaders } from './header-value.js';
import { hmac } from './hmac.js';
import { bodyText, isRawBody, type RawBody } from './raw-body.js';
import { refuse, type WebhookRefusal } from './refusal.js';
import { requireThat } from './require-that.js';
import {
  DEFAULT_TOLERANCE_SECONDS,
  parseSignatureHeader,
  SIGNATURE_HEADER,
  TIMESTAMP_HEADER,
} from './signature-header.js';
import { isEqual, listSecrets, type SigningSecret } from './signatures.js';

/** What a delivery is verified with. */
export interface VerifyWebhookOptions {
  /** The body as it arrived, before any parser. */
  readonly body: RawBody;
  /** All headers of the request, in any letter case. */
  readonly headers: WebhookHeaders;
  /** The endpoint's signing secret (`whsec_...`), or both while one replaces the other. */
  readonly secret: SigningSecret;
  /** How far the signature's time may be from this machine's clock, either way; 300 s if left out, 0 means 0. */
  readonly toleranceSeconds?: number;
  /** The time to verify at, for tests: a `Date` or milliseconds since 1970. The machine's clock if left out. */
  readonly now?: Date | number;
}

/** A delivery that is authentic and fresh. It may still be a repetition: deduplicate on `event.id`. */
export interface VerifiedWebhook {
  readonly ok: true;
  readonly event: PartnerEvent;
  /**
   * Never there, as `hint`. Without `strictNullChecks` the compiler does not narrow by `!result.ok`, and would not let
   * a receiver read the reason behind it.
   */
  readonly reason?: undefined;
  readonly hint?: undefined;
}

/**
 * Verifies a delivery and reads its event. Whatever a request brings ends in a value; it never rejects for
 * what a sender can influence. Spec: Events, signature verification.
 *
 * @throws TypeError if it was set up wrongly: an empty or blank secret, or a tolerance or time that is no number. A
 *   check that cannot work never passes silently.
 */
export async function verifyWebhook(
  options: VerifyWebhookOptions,
): Promise<VerifiedWebhook | WebhookRefusal> {
  const { body, headers, toleranceSeconds = DEFAULT_TOLERANCE_SECONDS, now = Date.now() } = options;
  const secrets = listSecrets(options.secret);
  requireTolerance(toleranceSeconds);
  const milliseconds = now.valueOf();
  requireThat(Number.isFinite(milliseconds), 'now must be a Date or ms.');

  if (body === undefined || body === null) return refuse('missing_body');
  if (!isRawBody(body)) return refuse('body_was_parsed');

  const value = headerValue(headers, SIGNATURE_HEADER);
  if (value === null) return refuse('missing_header');
  const header = parseSignatureHeader(value);
  if (header === null) return refuse('malformed_header');
  const { timestamp, signatures } = header;
  if (headerValue(headers, TIMESTAMP_HEADER) !== timestamp) return refuse('timestamp_mismatch');

  const age = Math.floor(milliseconds / 1000) - Number(timestamp);
  if (age > toleranceSeconds) return refuse('too_old');
  if (-age > toleranceSeconds) return refuse('too_new');

  const text = bodyText(body);
  if (text === null) return refuse('malformed_body');
  let isSigned = false;
  for (const secret of secrets) {
    const digest = hmac(secret, `${timestamp}.${text}`);
    const expected = typeof digest === 'string' ? digest : await digest;
    for (const given of signatures) isSigned = isEqual(expected, given) || isSigned;
  }
  if (!isSigned) return refuse('no_matching_signature');

  const event = readEvent(text);
  return typeof event === 'string' ? refuse(event) : { ok: true, event };
}

/** A tolerance that is no number would refuse nothing. */
export function requireTolerance(seconds: number): void {
  requireThat(Number.isFinite(seconds) && seconds >= 0, 'toleranceSeconds must be 0 or more.');
}
