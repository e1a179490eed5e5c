import type { AttemptOutcome } from '../domain/delivery.js';
import type { WebhookTransport } from '../ports/webhook-transport.js';
import { checkOptionNames, type OptionNames } from './option-checks.js';
import {
  createSafeHttp,
  SAFE_HTTP_OPTIONS,
  type SafeEnd,
  type SafeHttpOptions,
} from './safe-http/safe-http.js';

/** How webhooks are sent. */
export interface SafeTransportOptions extends SafeHttpOptions {
  /** What an attempt may take, in milliseconds; 30 s by default. Spec: Delivery, response time-out. */
  readonly timeoutMs?: number;
}

const OPTIONS: OptionNames<SafeTransportOptions> = { ...SAFE_HTTP_OPTIONS, timeoutMs: true };

export const WEBHOOK_TIMEOUT_MS = 30_000;

/** How much of an answer is kept for the operator: enough for an error's message. */
export const MAX_EXCERPT_BYTES = 1_024;

/** The status has decided by then. A body that drips must not hold a sender's place. */
const EXCERPT_WITHIN_MS = 1_000;

const ANSWER = { maxBytes: MAX_EXCERPT_BYTES, maxMs: EXCERPT_WITHIN_MS };

/**
 * Sends webhooks to URLs that partners chose: `https` to public addresses only, TLS always verified, no
 * redirects, one deadline over everything, connections kept while they are in use.
 *
 * The status decides; a kilobyte of what follows is kept, if it comes within a second. An answer whose header
 * fields are over 16 KiB, or do not end before the deadline, is no answer.
 *
 * @throws OperatorError `MISCONFIGURED` for an option that does not exist, or a switch that is neither true nor false.
 */
export function createSafeTransport(options: SafeTransportOptions = {}): WebhookTransport {
  checkOptionNames('createSafeTransport', options, OPTIONS);
  const { timeoutMs = WEBHOOK_TIMEOUT_MS, ...httpOptions } = options;
  const http = createSafeHttp(httpOptions);
  return {
    post: ({ url, headers, body }) =>
      http.send({ method: 'POST', url, headers, body, answer: ANSWER, timeoutMs }).then(toOutcome),
    close: (giveUp) => http.close(giveUp),
  };
}

function toOutcome(end: SafeEnd): AttemptOutcome {
  if (end.kind === 'failed') return end;
  return { kind: 'answered', status: end.status, excerpt: toExcerpt(end.body) };
}

/** Controls, and the marks that turn the direction of text around: they lie to whoever reads a terminal. */
const HARMFUL = /[\p{Cc}\p{Bidi_Control}]/gu;
/** What the decoder puts for bytes that are no UTF-8. */
const UNDECODABLE = /\ufffd/g;

/**
 * The start of an answer as text that is safe to store and to show: any database takes it, no terminal
 * obeys it. Never more than a kilobyte of UTF-8. Line breaks and tabs become spaces.
 */
export function toExcerpt(body: Uint8Array): string {
  if (body.length === 0) return '';
  const start = body.subarray(0, MAX_EXCERPT_BYTES);
  const text = new TextDecoder().decode(start, { stream: true });
  return text.replace(UNDECODABLE, '?').replace(HARMFUL, ' ').trim();
}
