import { type Answer, type HeaderReader, parseJson } from '../answer.js';
import type { ClientClock } from '../clock.js';

/** What the client hands to `fetch`. */
export interface FetchInit {
  readonly method: 'GET' | 'POST';
  readonly headers: Record<string, string>;
  readonly body?: string;
  readonly signal: AbortSignal;
  readonly redirect: 'manual';
}

/** What the client needs of a `Response`. */
export interface FetchResponse {
  readonly status: number;
  readonly headers: HeaderReader;
  text(): Promise<string>;
}

/** The global `fetch`, or anything like it. */
export type Fetch = (url: string, init: FetchInit) => Promise<FetchResponse>;

/** What one attempt came to. */
export type AttemptResult =
  | { readonly kind: 'answered'; readonly answer: Answer }
  | { readonly kind: 'lost'; readonly reason: 'network' | 'timeout'; readonly cause: unknown };

/** What an attempt needs. */
export interface AttemptDeps {
  readonly fetch: Fetch;
  readonly clock: ClientClock;
  /** For the whole exchange, the body included. */
  readonly timeoutMs: number;
}

/**
 * Sends one request and reads the whole answer. The time-out covers headers and body, also where `fetch` does
 * not heed its signal. A lost connection is a value.
 *
 * @throws whatever `signal` was aborted with.
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
  const json = parseJson(await response.text());
  return { kind: 'answered', answer: { status: response.status, headers: response.headers, json } };
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason));
  });
}
