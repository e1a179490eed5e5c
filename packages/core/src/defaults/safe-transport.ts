import type { AttemptOutcome } from '../domain/delivery.js';
import { LONGEST_RETRY_AFTER_MS } from '../domain/gap.js';
import { type Instant, SECOND_MS } from '../domain/time.js';
import type { WebhookTransport } from '../ports/host-services.js';
import { checkOptionNames, type OptionNames } from './option-checks.js';
import {
  createSafeHttp,
  SAFE_HTTP_OPTIONS,
  type SafeEnd,
  type SafeHttpOptions,
} from './safe-http/safe-http.js';

/** The options of `createSafeTransport`. */
export interface SafeTransportOptions extends SafeHttpOptions {
  /** The deadline of one attempt, in milliseconds; default: 30,000. Contract: 12.3. */
  readonly timeoutMs?: number | undefined;
}

const OPTIONS: OptionNames<SafeTransportOptions> = { ...SAFE_HTTP_OPTIONS, timeoutMs: true };

export const WEBHOOK_TIMEOUT_MS = 30_000;

export const MAX_EXCERPT_BYTES = 1_024;

/** A slow response body must not occupy one of the worker's senders for longer than this. */
const EXCERPT_WITHIN_MS = 1_000;

const ANSWER = { maxBytes: MAX_EXCERPT_BYTES, maxMs: EXCERPT_WITHIN_MS, isStatusEnough: true };

/**
 * Returns a transport for webhooks: only `https`, only public addresses, verified TLS, no redirects, one
 * deadline, reused connections. Keeps the first kilobyte of the body. If an answer is not HTTP to the letter, or its
 * headers are longer than 16 KiB, only its status counts.
 * @throws OperatorError `MISCONFIGURED` if an option does not exist or is invalid.
 * @example
 * const transport = createSafeTransport({ timeoutMs: 10_000 });
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
  const { status, headers, body, oddAnswer } = end;
  const answered = { kind: 'answered', status, excerpt: toExcerpt(body) } as const;
  const mayAsk = status === 429 || status === 503;
  if (oddAnswer === undefined && !mayAsk) return answered;
  const asked = mayAsk ? readRetryAfter(headers['retry-after'], Date.now()) : null;
  // Whether an odd 503 asks to wait cannot be told.
  const retryAfterMs = asked ?? (oddAnswer !== undefined && status === 503 ? 0 : null);
  return { ...answered, retryAfterMs: retryAfterMs ?? undefined, oddAnswer };
}

/** Returns how long to wait, in milliseconds. Null if the header is missing, or neither seconds nor a date. */
export function readRetryAfter(header: string | undefined, now: Instant): number | null {
  const text = header?.trim() ?? '';
  const ms = /^\d+$/.test(text) ? Number(text) * SECOND_MS : Date.parse(text) - now;
  return Number.isNaN(ms) ? null : Math.min(Math.max(0, ms), LONGEST_RETRY_AFTER_MS);
}

/** These characters could mislead the reader of a terminal. */
const HARMFUL = /[\p{Cc}\p{Bidi_Control}]/gu;
const UNDECODABLE = /\ufffd/g;

export function toExcerpt(body: Uint8Array): string {
  if (body.length === 0) return '';
  const start = body.subarray(0, MAX_EXCERPT_BYTES);
  const text = new TextDecoder().decode(start, { stream: true });
  return text.replace(UNDECODABLE, '?').replace(HARMFUL, ' ').trim();
}
