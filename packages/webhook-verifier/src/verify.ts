import { type PartnerEvent, readEvent } from './events.js';
import { headerValue, type WebhookHeaders } from './header-value.js';
import { hmac } from './hmac.js';
import { bodyText, isRawBody, type RawBody, signedBytes } from './raw-body.js';
import { NOT_AS_SENT, refuse, type WebhookRefusal } from './refusal.js';
import { requireThat } from './require-that.js';
import {
  DEFAULT_TOLERANCE_SECONDS,
  parseSignatureHeader,
  SIGNATURE_HEADER,
  TIMESTAMP_HEADER,
} from './signature-header.js';
import { isEqual, listSecrets, type SigningSecret } from './signatures.js';

/** Options of `verifyWebhook`. */
export interface VerifyWebhookOptions {
  /** The raw body, before any parser. */
  readonly body: RawBody;
  /** All headers of the request, in any letter case. */
  readonly headers: WebhookHeaders;
  /** The signing secret (`whsec_...`), or both during a rotation. */
  readonly secret: SigningSecret;
  /** How many seconds the signature's time may differ from the clock; default 300. 0 requires the same second. */
  readonly toleranceSeconds?: number | undefined;
  /** The time to verify at, for tests: a `Date` or milliseconds since 1970. */
  readonly now?: Date | number | undefined;
}

/** An authentic, recent delivery. It may be a duplicate: check `event.id`. */
export interface VerifiedWebhook {
  readonly ok: true;
  readonly event: PartnerEvent;
  /** Always absent, as is `hint`. TypeScript code without `strictNullChecks` needs both to read a refusal. */
  readonly reason?: undefined;
  readonly hint?: undefined;
}

/**
 * Verifies a delivery and parses its event. Never rejects because of the request: a bad one returns `ok: false` with
 * a reason. Contract: 11, https://github.com/partner-hiring/partner-hiring/blob/main/docs/contract.md
 * @throws TypeError if an option is invalid, such as an empty secret.
 * @example
 * ```ts
 * const body = new Uint8Array(await request.arrayBuffer());
 * const secret = process.env.WEBHOOK_SECRET ?? '';
 * const result = await verifyWebhook({ body, headers: request.headers, secret });
 * if (!result.ok) throw new Error(result.reason);
 * console.log(result.event.type, result.event.id);
 * ```
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
  // Text and bytes have the same digest. Only bytes can be no UTF-8.
  const signed = text === null ? await signedBytes(timestamp, body) : `${timestamp}.${text}`;
  let isSigned = false;
  for (const secret of secrets) {
    const digest = hmac(secret, signed);
    const expected = typeof digest === 'string' ? digest : await digest;
    for (const given of signatures) isSigned = isEqual(expected, given) || isSigned;
  }
  if (!isSigned) return refuse('no_matching_signature', text === null ? NOT_AS_SENT : '');
  if (text === null) return refuse('malformed_body');

  const event = readEvent(text);
  if (typeof event !== 'string') return { ok: true, event };
  return event ? refuse('malformed_body', `${event} is missing or wrong. `) : refuse('unsupported_version');
}

/** Throws a TypeError if the tolerance is invalid. `NaN` would accept every signature time. */
export function requireTolerance(seconds: number): void {
  requireThat(Number.isFinite(seconds) && seconds >= 0, 'toleranceSeconds must be 0 or more.');
}
