import type { Fetch, FetchInit, FetchResponse } from '@partner-hiring/client';
import { whileBusy } from '@partner-hiring/test-support/clock';
import type { Fixture } from '@partner-hiring/test-support/fixture';

/** The fate of a request. The real API answers those that arrive. */
export type Fate =
  | 'arrives'
  | 'lost_before'
  | 'lost_after'
  | 'body_lost'
  | 'garbage_after'
  | '403_page_after'
  | '503_after'
  | '503_instead'
  | 'hangs_before'
  | 'hangs_after';

/** A recorded exchange. */
export interface Exchange {
  readonly method: string;
  readonly url: string;
  readonly idempotencyKey: string | null;
  readonly body: string | null;
  /** The response; null if the request did not arrive. */
  readonly answered: number | null;
  readonly at: number;
}

/** Answers a request instead of the API; null passes it on. */
export type Interceptor = (url: string) => FetchResponse | null;

/** A scripted network to the API. */
export interface Network {
  readonly exchanges: readonly Exchange[];
  readonly fetch: Fetch;
  /** The fates of the next requests in order. Later ones arrive. */
  plan(...fates: readonly Fate[]): void;
  /** Replaces the previous one; null removes it. */
  intercept(interceptor: Interceptor | null): void;
  close(): void;
}

interface NetworkState {
  readonly fixture: Fixture;
  readonly exchanges: Exchange[];
  readonly fates: Fate[];
  interceptor: Interceptor | null;
  /** The number of requests under way. */
  underWay: number;
}

const NEVER_ARRIVES: readonly Fate[] = ['lost_before', 'hangs_before', '503_instead'];
const NO_ANSWER = new TypeError('fetch failed');

/** Opens a network without faults. */
export function openNetwork(fixture: Fixture): Network {
  const state: NetworkState = { fixture, exchanges: [], fates: [], interceptor: null, underWay: 0 };
  const stopWatching = whileBusy(() => state.underWay > 0);
  return {
    exchanges: state.exchanges,
    fetch: (url, init) => travel(state, url, init),
    plan: (...next) => void state.fates.push(...next),
    intercept: (interceptor) => {
      state.interceptor = interceptor;
    },
    close: stopWatching,
  };
}

async function travel(state: NetworkState, url: string, init: FetchInit): Promise<FetchResponse> {
  const intercepted = state.interceptor?.(url) ?? null;
  if (intercepted !== null) return intercepted;
  const fate = state.fates.shift() ?? 'arrives';
  const response = NEVER_ARRIVES.includes(fate) ? null : await reach(state, url, init);
  note(state, url, init, response);
  return comeBack(fate, response);
}

async function reach(state: NetworkState, url: string, init: FetchInit): Promise<Response> {
  const { method, headers, body } = init;
  state.underWay += 1;
  try {
    return await state.fixture.partnerHiring.fetch(
      new Request(url, { method, headers, ...(body === undefined ? {} : { body }) }),
    );
  } finally {
    state.underWay -= 1;
  }
}

function note(
  { fixture, exchanges }: NetworkState,
  url: string,
  { method, headers, body }: FetchInit,
  response: Response | null,
): void {
  const idempotencyKey = headers['idempotency-key'] ?? null;
  const answered = response?.status ?? null;
  exchanges.push({ method, url, idempotencyKey, body: body ?? null, answered, at: fixture.clock.now() });
}

/** Converts the response for the client. */
async function comeBack(fate: Fate, response: Response | null): Promise<FetchResponse> {
  if (fate === 'lost_before' || fate === 'lost_after') throw NO_ANSWER;
  if (fate.startsWith('hangs')) return new Promise(() => {});
  if (fate === 'body_lost') return { ...withStatus(201), text: () => Promise.reject(NO_ANSWER) };
  if (fate === 'garbage_after') return withStatus(200, '<html>Please log in</html>');
  if (fate === '403_page_after') return withStatus(403, '<html>Request blocked</html>');
  if (fate.startsWith('503')) return withStatus(503, '{"error":"SERVICE_UNAVAILABLE","message":"down"}');
  if (response === null) throw NO_ANSWER;
  return response;
}

/** A response of something other than the API. */
export function withStatus(
  status: number,
  body = '',
  headers: Readonly<Record<string, string>> = {},
): FetchResponse {
  return { status, headers: new Headers(headers), text: async () => body };
}
