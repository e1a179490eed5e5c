import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Answer, ProbeRequest, ProbeTransport } from '@partner-hiring/core/probes';
import { SIGNATURE_HEADER, signWebhook, TIMESTAMP_HEADER } from '@partner-hiring/webhook-verifier';
import { readExcerpt, safeText } from './excerpt.js';
import { isError } from './is-error.js';
import type { Settings } from './options.js';

const USER_AGENT = 'Partner-Hiring-Certify/1.0';
const PIECES = 8;

/** Creates a sender for the receiver in the settings. It does not follow redirects. */
export function createSender(settings: Settings): ProbeTransport {
  const { secrets, oldSecrets, slowBodyMs } = settings;
  const post = createPost(settings);
  return {
    secrets,
    oldSecrets,
    async sign(body, { secrets: signers = secrets, ageSeconds = 0 } = {}) {
      const timestamp = Math.floor(Date.now() / 1000) - ageSeconds;
      const headers = await signWebhook({ body, secret: signers, timestamp });
      return { body, signature: headers[SIGNATURE_HEADER], timestamp: headers[TIMESTAMP_HEADER] };
    },
    send: (delivery) => post(() => ({ headers: headersOf(delivery), body: delivery.body }), startWatch()),
    sendSlowly: (delivery) => {
      const watch = startWatch();
      // Sets Content-Length as the service does, because `fetch` does not set it for a stream. For a string, `fetch`
      // sets it, and newer versions of undici reject a second one.
      const headers = { ...headersOf(delivery), 'Content-Length': String(Buffer.byteLength(delivery.body)) };
      // Starts the response time again with each piece, so that it counts from the last one.
      const body = () => ReadableStream.from(inPieces(delivery.body, slowBodyMs, watch.restart));
      return post(() => ({ headers, body: body(), duplex: 'half' }), watch);
    },
  };
}

interface Watch {
  readonly restart: () => void;
  readonly elapsedMs: () => number;
}

function startWatch(): Watch {
  let startedAt = performance.now();
  return {
    restart: () => {
      startedAt = performance.now();
    },
    elapsedMs: () => performance.now() - startedAt,
  };
}

/** The error codes of a connection that the receiver closed. */
const CLOSED: readonly string[] = ['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE'];

/**
 * Returns a function that sends one request. Like the service, it retries when the receiver has closed a reused
 * connection. If the receiver closes a new connection, that is a failure.
 */
function createPost(settings: Settings) {
  /** The upper limit of idle connections that may still be open. */
  let reusable = 0;

  async function postOver(initOf: () => RequestInit, deadline: Deadline, watch: Watch): Promise<Answer> {
    const mayBeReused = reusable > 0;
    if (mayBeReused) reusable -= 1;
    const answer = await exchange(settings, initOf(), deadline, watch);
    if (answer.kind === 'answered') reusable += 1;
    if (!mayBeReused || answer.kind !== 'failed' || !CLOSED.includes(answer.code)) return answer;
    const again = await postOver(initOf, deadline, watch);
    return again.kind === 'answered' ? again : answer;
  }

  return async (initOf: () => RequestInit, watch: Watch): Promise<Answer> => {
    const deadline = startDeadline(settings.timeoutMs);
    try {
      return await postOver(initOf, deadline, watch);
    } finally {
      deadline.end();
    }
  };
}

async function exchange(
  { fetch, url, ...settings }: Settings,
  init: RequestInit,
  { signal, passed }: Deadline,
  { elapsedMs }: Watch,
): Promise<Answer> {
  const secrets = [...settings.secrets, ...settings.oldSecrets];
  try {
    const request = { method: 'POST', redirect: 'manual', signal, ...init } as const;
    // Also waits for the deadline, because a custom `fetch` may ignore the signal.
    const response = await Promise.race([fetch(url.href, request), passed]);
    const answered = { kind: 'answered', status: response.status, tookMs: elapsedMs() } as const;
    const excerpt = await readExcerpt(response, secrets);
    return { ...answered, excerpt };
  } catch (error) {
    if (signal.aborted) return { kind: 'timed_out', tookMs: elapsedMs() };
    return { kind: 'failed', code: safeText(codeOf(error), secrets), tookMs: elapsedMs() };
  }
}

interface Deadline {
  readonly signal: AbortSignal;
  /** A promise that rejects when the signal aborts. */
  readonly passed: Promise<never>;
  readonly end: () => void;
}

/** Starts a deadline. Unlike `AbortSignal.timeout`, its timer keeps the process alive. */
function startDeadline(ms: number): Deadline {
  const controller = new AbortController();
  const { signal } = controller;
  const passed = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason));
  });
  const timer = setTimeout(() => controller.abort(), ms);
  return { signal, passed, end: () => clearTimeout(timer) };
}

function headersOf({ signature, timestamp }: ProbeRequest): Record<string, string> {
  return {
    'Content-Type': 'application/json',
    'Accept-Encoding': 'identity',
    'User-Agent': USER_AGENT,
    ...(signature === null ? {} : { [SIGNATURE_HEADER]: signature }),
    [TIMESTAMP_HEADER]: timestamp,
  };
}

async function* inPieces(body: string, overMs: number, onPiece: () => void): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(body);
  const step = Math.ceil(bytes.length / PIECES);
  for (let at = 0; at < bytes.length; at += step) {
    if (at > 0) await sleep(overMs / (PIECES - 1));
    onPiece();
    yield bytes.subarray(at, at + step);
  }
}

/** Returns the code of a network error, which `fetch` puts into the `cause` of its own error. */
function codeOf(error: unknown): string {
  if (!isError(error)) return 'UNKNOWN';
  const { code, cause } = error as Error & { readonly code?: unknown };
  if (isError(cause)) return codeOf(cause);
  return typeof code === 'string' ? code : error.message;
}
