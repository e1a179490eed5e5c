import { type PartnerEvent, readEvent } from './events.js';
import { headerValues, type WebhookHeaders } from './header-values.js';
import { anyEqual, digests, listSecrets, type SigningSecret } from './hmac.js';
import { bodyText, isRawBody, type RawBody, signingInput } from './raw-body.js';
import { refuse, type WebhookRefusal } from './refusal.js';
import {
  DEFAULT_TOLERANCE_SECONDS,
  parseSignatureHeader,
  SIGNATURE_HEADER,
  type SignatureHeader,
  TIMESTAMP_HEADER,
} from './signature-header.js';

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
}

const SIGNATURE_NAME = SIGNATURE_HEADER.toLowerCase();
const TIMESTAMP_NAME = TIMESTAMP_HEADER.toLowerCase();

/**
 * Verifies a delivery and reads its event. Whatever a request brings ends in a value; it never rejects for
 * what a sender can influence. Spec: Events, signature verification.
 *
 * @throws TypeError if it was set up wrongly: an empty secret, or a tolerance or time that is no number. A
 *   check that cannot work never passes silently.
 */
export async function verifyWebhook(
  options: VerifyWebhookOptions,
): Promise<VerifiedWebhook | WebhookRefusal> {
  const { body, headers } = options;
  const secrets = listSecrets(options.secret);
  const tolerance = toleranceOf(options.toleranceSeconds);
  const now = secondsOf(options.now);

  if (body === undefined || body === null) return refuse('missing_body');
  if (!isRawBody(body)) return refuse('body_was_parsed');

  const header = readHeaders(headers);
  if ('reason' in header) return header;

  const age = now - Number(header.timestamp);
  if (age > tolerance) return refuse('too_old');
  if (-age > tolerance) return refuse('too_new');

  const expected = await digests(secrets, signingInput(header.timestamp, body));
  if (!anyEqual(expected, header.signatures)) return refuse('no_matching_signature');
  return eventOf(body);
}

function readHeaders(headers: WebhookHeaders): SignatureHeader | WebhookRefusal {
  const [value, ...more] = headerValues(headers, SIGNATURE_NAME);
  if (value === undefined) return refuse('missing_header');
  const header = more.length === 0 ? parseSignatureHeader(value) : null;
  if (header === null) return refuse('malformed_header');
  const timestamps = headerValues(headers, TIMESTAMP_NAME);
  const agrees = timestamps.length === 1 && timestamps[0] === header.timestamp;
  return agrees ? header : refuse('timestamp_mismatch');
}

function eventOf(body: RawBody): VerifiedWebhook | WebhookRefusal {
  const text = bodyText(body);
  if (text === null) return refuse('malformed_body');
  const reading = readEvent(text);
  if (reading.kind === 'event') return { ok: true, event: reading.event };
  return refuse(reading.kind === 'malformed' ? 'malformed_body' : 'unsupported_version');
}

function toleranceOf(seconds: number = DEFAULT_TOLERANCE_SECONDS): number {
  if (Number.isFinite(seconds) && seconds >= 0) return seconds;
  throw new TypeError('toleranceSeconds must be a finite number of seconds, 0 or more.');
}

function secondsOf(now: Date | number = Date.now()): number {
  const milliseconds = typeof now === 'number' ? now : now.getTime();
  if (Number.isFinite(milliseconds)) return Math.floor(milliseconds / 1000);
  throw new TypeError('now must be a valid Date or a number of milliseconds.');
}
