import type { PartnerEvent } from './events.js';
import type { WebhookHeaders } from './header-value.js';
import type { RawBody } from './raw-body.js';
import type { WebhookRefusal, WebhookRefusalReason } from './refusal.js';
import { requireThat } from './require-that.js';
import { DEFAULT_TOLERANCE_SECONDS } from './signature-header.js';
import { listSecrets, type SigningSecret } from './signatures.js';
import { requireTolerance, verifyWebhook } from './verify.js';

/** Options of a receiver. */
export interface WebhookReceiverOptions {
  /** The signing secret (`whsec_...`), several during a rotation, or a function called for each delivery. */
  readonly secret: SigningSecret | (() => SigningSecret | Promise<SigningSecret>);
  /**
   * Called with each event. The service waits 30 seconds for the response, so queue slow work. It retries until it
   * gets a 2xx, so skip an `event.id` that you have seen. If this throws, the service retries.
   */
  readonly onEvent: (event: PartnerEvent) => unknown;
  /** Called with each refused delivery; default `console.warn` with reason and hint. */
  readonly onRefused?: ((refusal: ReceiverRefusal) => unknown) | undefined;
  /** How many seconds the signature's time may differ from the clock; default 300. 0 requires the same second. */
  readonly toleranceSeconds?: number | undefined;
  /** The largest body in bytes; default 1 MiB. Events have about 1 KiB. */
  readonly maxBytes?: number | undefined;
}

/** Why a receiver refused a delivery. */
export type ReceiverRefusalReason = WebhookRefusalReason | 'body_too_large';

/** A refused delivery: the receiver returned 400, or 413 if the body is too large. */
export interface ReceiverRefusal extends Omit<WebhookRefusal, 'reason'> {
  readonly reason: ReceiverRefusalReason;
}

/** Passed to `receive` instead of a body that exceeds `maxBytes`. */
export const TOO_LARGE = Symbol('too large');

export interface ReceiverAnswer {
  readonly status: 204 | 400 | 413;
  /** The JSON to send as the response body; null for an empty body. */
  readonly body: string | null;
}

/** A receiver without a framework. */
export interface Receiver {
  readonly maxBytes: number;
  /** `found` is the raw body, or whatever a parser has put there. */
  receive(headers: WebhookHeaders, found: unknown): Promise<ReceiverAnswer>;
}

const DEFAULT_MAX_BYTES = 1_048_576;

/** The service gives up after this time, so a body that takes longer is not from it. */
export const BODY_TIMEOUT_MS = 30_000;

/**
 * Builds a receiver: verifies, calls `onEvent` and returns the response.
 * @param parsedHint - how to fix a parsed body in this framework.
 * @throws TypeError if an option is invalid. A secret from a function is checked at each delivery.
 */
export function createReceiver(options: WebhookReceiverOptions, parsedHint: string): Receiver {
  const {
    secret,
    onEvent,
    onRefused = warn,
    toleranceSeconds = DEFAULT_TOLERANCE_SECONDS,
    maxBytes = DEFAULT_MAX_BYTES,
  } = options;
  if (typeof secret !== 'function') requireWholeSecrets(secret);
  requireThat(typeof onEvent === 'function', 'onEvent must be a function.');
  requireTolerance(toleranceSeconds);
  requireThat(Number.isFinite(maxBytes) && maxBytes > 0, 'maxBytes must be a finite number greater than 0.');

  const refuse = async (refusal: ReceiverRefusal): Promise<ReceiverAnswer> => {
    await onRefused(refusal);
    const { reason } = refusal;
    return { status: reason === 'body_too_large' ? 413 : 400, body: JSON.stringify({ reason }) };
  };

  return {
    maxBytes,
    receive: async (headers, found) => {
      if (found === TOO_LARGE) return refuse(tooLarge(maxBytes));
      const body = found as RawBody;
      const secrets = typeof secret === 'function' ? requireWholeSecrets(await secret()) : secret;
      const result = await verifyWebhook({ body, headers, secret: secrets, toleranceSeconds });
      if (!result.ok) {
        return refuse(result.reason === 'body_was_parsed' ? { ...result, hint: parsedHint } : result);
      }
      await onEvent(result.event);
      return { status: 204, body: null };
    },
  };
}

/**
 * Throws a TypeError if a secret was pasted with something around it, such as the quotes or the line break of an
 * environment file. Otherwise, every delivery would fail with `no_matching_signature`.
 */
function requireWholeSecrets(secret: SigningSecret): SigningSecret {
  requireThat(
    listSecrets(secret).every((value) => /^whsec_[\w-]+$/.test(value)),
    'secret must be the complete secret, whsec_..., without quotes, spaces or line breaks.',
  );
  return secret;
}

function tooLarge(maxBytes: number): ReceiverRefusal {
  const hint = `The body exceeds ${maxBytes} bytes. If it is an event, raise maxBytes.`;
  return { ok: false, reason: 'body_too_large', hint };
}

function warn({ reason, hint }: ReceiverRefusal): void {
  console.warn(`Webhook refused (${reason}): ${hint}`);
}
