import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { SIGNATURE_HEADER, signWebhook, TIMESTAMP_HEADER } from '@partner-hiring/webhook-verifier';
import type { Answer } from './answer.js';
import { readExcerpt, safeText } from './excerpt.js';
import type { Settings } from './options.js';

/** One request as it goes out, complete with its signature. */
export interface Delivery {
  readonly body: string;
  /** `X-Partner-Signature`; null leaves it out. */
  readonly signature: string | null;
  /** `X-Partner-Timestamp`. */
  readonly timestamp: string;
}

/** How a body is signed. */
export interface Signing {
  /** Those that are valid now, unless others are named. */
  readonly secrets?: readonly string[];
  /** Seconds from now; 0 if left out. */
  readonly ageSeconds?: number;
}

/** Signs and sends. */
export interface Sender {
  readonly secrets: readonly string[];
  readonly oldSecrets: readonly string[];
  /** Signs a body as the service does. */
  sign(body: string, signing?: Signing): Promise<Delivery>;
  /** Never rejects: what the network does is an answer. */
  send(delivery: Delivery): Promise<Answer>;
  /** The same, with the body dripping. */
  sendSlowly(delivery: Delivery): Promise<Answer>;
}

const USER_AGENT = 'Partner-Hiring-Certify/1.0';
/** How many pieces a slow body comes in. */
const PIECES = 8;

/** Sends to the one URL of the settings, never on to another. */
export function createSender(settings: Settings): Sender {
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
      // The service says how long its bodies are, and of texts alone it is known. Of those nothing is said here: said
      // twice, it is refused by a `fetch` of the caller's that a newer undici has taken over.
      const headers = { ...headersOf(delivery), 'Content-Length': String(Buffer.byteLength(delivery.body)) };
      // The receiver's time begins with the last piece.
      const body = () => ReadableStream.from(drip(delivery.body, slowBodyMs, watch.restart));
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

/** What a connection ends with that its server gave up, by the codes of the network and of a caller's `fetch`. */
const SWALLOWED: readonly string[] = ['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE'];

/**
 * Builds what posts. As the service does, it sends again what a connection swallowed that was used before: its server
 * may close it at any time after an answer. A fresh one that does so is the receiver's failure.
 */
function createPost(settings: Settings) {
  /** Connections that may be kept open: no more than have brought an answer. */
  let reusable = 0;

  async function postOver(initOf: () => RequestInit, deadline: Deadline, watch: Watch): Promise<Answer> {
    const mayBeReused = reusable > 0;
    if (mayBeReused) reusable -= 1;
    const answer = await exchange(settings, initOf(), deadline, watch);
    if (answer.kind === 'answered') reusable += 1;
    if (!mayBeReused || answer.kind !== 'failed' || !SWALLOWED.includes(answer.code)) return answer;
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
    // A `fetch` of the caller's may not heed the signal.
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
  /** Rejects as the signal aborts. */
  readonly passed: Promise<never>;
  readonly end: () => void;
}

/** Unlike `AbortSignal.timeout`, it keeps the process alive until it has passed or ended. */
function startDeadline(ms: number): Deadline {
  const controller = new AbortController();
  const { signal } = controller;
  const passed = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason));
  });
  const timer = setTimeout(() => controller.abort(), ms);
  return { signal, passed, end: () => clearTimeout(timer) };
}

function headersOf({ signature, timestamp }: Delivery): Record<string, string> {
  return {
    'Content-Type': 'application/json',
    'Accept-Encoding': 'identity',
    'User-Agent': USER_AGENT,
    ...(signature === null ? {} : { [SIGNATURE_HEADER]: signature }),
    [TIMESTAMP_HEADER]: timestamp,
  };
}

async function* drip(body: string, overMs: number, onPiece: () => void): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(body);
  const step = Math.ceil(bytes.length / PIECES);
  for (let at = 0; at < bytes.length; at += step) {
    if (at > 0) await sleep(overMs / (PIECES - 1));
    onPiece();
    yield bytes.subarray(at, at + step);
  }
}

/** The network's own code lies under the error of `fetch`. */
function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return 'UNKNOWN';
  const { code, cause } = error as Error & { readonly code?: unknown };
  if (cause instanceof Error) return codeOf(cause);
  return typeof code === 'string' ? code : error.message;
}
