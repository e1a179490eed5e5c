import type { Answer, HeaderReader } from './answer.js';
import type { ClientClock } from './clock.js';
import { parseJson } from './json.js';
import { readBody } from './read-body.js';

/** The methods that the client sends. */
export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** The options that the client passes to `fetch`. */
export interface FetchInit {
  readonly method: Method;
  readonly headers: Record<string, string>;
  readonly body?: string;
  readonly signal: AbortSignal;
  readonly redirect: 'manual';
}

/** The part of `Response` that the client uses. */
export interface FetchResponse {
  readonly status: number;
  readonly headers: HeaderReader;
  /**
   * The body as a web stream or a Node stream, so that the client can stop reading an endless response. Without a
   * stream, the client calls `text`.
   */
  readonly body?: unknown;
  text(): Promise<string>;
}

/** The global `fetch`, or a compatible function. */
export type Fetch = (url: string, init: FetchInit) => Promise<FetchResponse>;

export type AttemptResult =
  | { readonly kind: 'answered'; readonly answer: Answer }
  | { readonly kind: 'lost'; readonly reason: 'network' | 'timeout'; readonly cause: unknown };

export interface AttemptDeps {
  readonly fetch: Fetch;
  readonly clock: ClientClock;
  readonly timeoutMs: number;
}

/**
 * Sends a request once. After a network failure or a timeout, resolves with the kind `lost`. The timeout works
 * even if `fetch` ignores its signal. Rejects if `signal` aborts.
 */
export async function attempt(
  { fetch, clock, timeoutMs }: AttemptDeps,
  url: string,
  init: Omit<FetchInit, 'signal' | 'redirect'>,
  signal?: AbortSignal,
): Promise<AttemptResult> {
  signal?.throwIfAborted();
  const exchange = new AbortController();
  const over = new AbortController();
  const abort = () => exchange.abort();
  signal?.addEventListener('abort', abort);
  let isLate = false;
  void clock.sleep(timeoutMs, over.signal).then(() => {
    if (over.signal.aborted) return;
    isLate = true;
    abort();
  });
  try {
    const options = { ...init, signal: exchange.signal, redirect: 'manual' as const };
    return await Promise.race([send(fetch, url, options), aborted(exchange.signal)]);
  } catch (cause) {
    signal?.throwIfAborted();
    return { kind: 'lost', reason: isLate ? 'timeout' : 'network', cause };
  } finally {
    over.abort();
    signal?.removeEventListener('abort', abort);
  }
}

async function send(fetch: Fetch, url: string, init: FetchInit): Promise<AttemptResult> {
  const response = await fetch(url, init);
  const text = await readBody(response, init.signal);
  const { status, headers } = response;
  const answer = text === null ? { json: undefined, isTooLarge: true } : { json: parseJson(text) };
  return { kind: 'answered', answer: { status, headers, ...answer } };
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason));
  });
}
