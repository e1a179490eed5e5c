import { requestIdOf } from './answer.js';
import type { Method } from './attempt.js';
import { type CallOptions, readCall } from './call-options.js';
import { answerOf, type Execute } from './execute.js';
import { refuse } from './json.js';

/** A request to any route of the service. */
export interface PartnerRequest {
  /** Default: GET. */
  readonly method?: Method | undefined;
  /** Relative to `baseUrl`, with the query, such as `/jobs?limit=1`. */
  readonly path: string;
  /** Sent as JSON. */
  readonly body?: unknown;
}

/** A successful answer. */
export interface PartnerResponse {
  readonly status: number;
  /** The parsed body; undefined without one. */
  readonly json: unknown;
  readonly requestId: string | null;
}

/** Methods that may be sent again if an answer is lost. */
const REPEATABLE: ReadonlySet<Method> = new Set(['GET', 'PUT', 'DELETE']);

/** Other routes than those with a method of their own. */
export function createRequest(baseUrl: string, execute: Execute) {
  return async (
    { method = 'GET', path, body }: PartnerRequest,
    options?: CallOptions,
  ): Promise<PartnerResponse> => {
    const call = readCall(options);
    const below = readPath(baseUrl, path);
    const route = routeOf(below);
    if (method.toUpperCase() === 'POST' && route === '/applications') {
      refuse('Use applications.submit, which submits exactly once.');
    }
    if (method === 'GET' && body !== undefined) refuse('A GET has no body.');
    const text = JSON.stringify(body);
    const answer = answerOf(
      await execute({
        method,
        path: below,
        route: { kind: 'other', path: route },
        body: text,
        isRepeatable: REPEATABLE.has(method),
        problemOf: () => null,
        call,
      }),
    );
    return { status: answer.status, json: answer.json, requestId: requestIdOf(answer) };
  };
}

/** @throws TypeError if the path leads away from the API, which would send the key elsewhere. */
function readPath(baseUrl: string, path: string): string {
  const { href } = new URL(baseUrl + path);
  if (href.startsWith(`${baseUrl}/`)) return href.slice(baseUrl.length);
  refuse('path must be below baseUrl and start with a slash, such as /jobs.');
}

/** As routers read it: decoded, in lower case, without slashes that mean nothing. */
function routeOf(path: string): string {
  const below = decodeURIComponent(path.replace(/[?#].*/, '')).toLowerCase();
  return `/${below.split('/').filter(Boolean).join('/')}`;
}
