import type { PartnerEvent } from './events.js';
import type { WebhookHeaders } from './header-value.js';
import type { RawBody } from './raw-body.js';
import type { WebhookRefusal, WebhookRefusalReason } from './refusal.js';
import { requireThat } from './require-that.js';
import { DEFAULT_TOLERANCE_SECONDS } from './signature-header.js';
import { listSecrets, type SigningSecret } from './signatures.js';
import { requireTolerance, verifyWebhook } from './verify.js';

/** What a mounted receiver is told once, at the start. */
export interface WebhookReceiverOptions {
  /**
   * The endpoint's signing secret (`whsec_...`), or several while one replaces another; or a function that is
   * asked at each delivery, where the secret is not known at the start or may change.
   */
  readonly secret: SigningSecret | (() => SigningSecret | Promise<SigningSecret>);
  /**
   * What to do with an event. The service waits 30 seconds and sends an event again until it is answered with a
   * 2xx, so put what takes long into a queue, and skip an `event.id` that was seen. If it throws, the framework
   * answers with an error, and the event comes again.
   */
  readonly onEvent: (event: PartnerEvent) => unknown;
  /** Told of every delivery that is refused; `console.warn` gets reason and hint if left out. */
  readonly onRefused?: (refusal: ReceiverRefusal) => unknown;
  /** How far the signature's time may be from this machine's clock, either way; 300 s if left out, 0 means 0. */
  readonly toleranceSeconds?: number;
  /** The longest body that is read, in bytes; 1 MiB if left out, which is some thousand times an event. */
  readonly maxBytes?: number;
}

/** Why a mounted receiver refused a delivery. */
export type ReceiverRefusalReason = WebhookRefusalReason | 'body_too_large';

/** A delivery that a mounted receiver refused: not acted upon, and answered with 400, or 413 if it was too large. */
export interface ReceiverRefusal extends Omit<WebhookRefusal, 'reason'> {
  readonly reason: ReceiverRefusalReason;
}

/** Found in the place of a body that is longer than is read. */
export const TOO_LARGE = Symbol('too large');

/** What the framework is to answer. */
export interface ReceiverAnswer {
  readonly status: 204 | 400 | 413;
  /** JSON; null for an empty body. */
  readonly body: string | null;
}

/** A receiver that knows no framework. */
export interface Receiver {
  readonly maxBytes: number;
  /** Takes the raw body, or whatever a parser has put in its place. */
  receive(headers: WebhookHeaders, found: unknown): Promise<ReceiverAnswer>;
}

const DEFAULT_MAX_BYTES = 1_048_576;

/**
 * What all frameworks share: verify, act, answer.
 *
 * @param parsedHint - what to do in this framework if a parser came first.
 * @throws TypeError if the options are wrong; a secret that a function gives is checked at each delivery.
 */
export function createReceiver(options: WebhookReceiverOptions, parsedHint: string): Receiver {
  const {
    secret,
    onEvent,
    onRefused = warn,
    toleranceSeconds = DEFAULT_TOLERANCE_SECONDS,
    maxBytes = DEFAULT_MAX_BYTES,
  } = options;
  if (typeof secret !== 'function') listSecrets(secret);
  requireThat(typeof onEvent === 'function', 'onEvent must be a function that takes the event.');
  requireTolerance(toleranceSeconds);
  requireThat(
    Number.isFinite(maxBytes) && maxBytes > 0,
    'maxBytes must be a finite number of bytes, over 0.',
  );

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
      const secrets = typeof secret === 'function' ? await secret() : secret;
      const result = await verifyWebhook({ body, headers, secret: secrets, toleranceSeconds });
      if (!result.ok) {
        return refuse(result.reason === 'body_was_parsed' ? { ...result, hint: parsedHint } : result);
      }
      await onEvent(result.event);
      return { status: 204, body: null };
    },
  };
}

function tooLarge(maxBytes: number): ReceiverRefusal {
  const hint = `The body is longer than ${maxBytes} bytes, so it is no event. If it is, raise maxBytes.`;
  return { ok: false, reason: 'body_too_large', hint };
}

/** Nobody should have to guess why deliveries fail. */
function warn({ reason, hint }: ReceiverRefusal): void {
  console.warn(`Webhook refused, ${reason}: ${hint}`);
}
