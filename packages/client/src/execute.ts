import { type Answer, apiErrorOf, requestIdOf, retryAfterSecondsOf } from './answer.js';
import { type AttemptDeps, type AttemptResult, attempt, type FetchInit, type Method } from './attempt.js';
import type { CallOptions } from './call-options.js';
import { type PartnerApiError, PartnerConnectionError } from './errors.js';
import { type Hooks, type RequestReport, reportOf } from './hooks.js';
import { codeOf, isError } from './json.js';
import type { Route } from './traffic/bucket-queues.js';
import type { Traffic } from './traffic/traffic.js';

export interface ApiRequest {
  readonly method: Method;
  /** Relative to `baseUrl`, with the query. */
  readonly path: string;
  readonly route: Route;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
  /** For the hooks. */
  readonly sourceApplicationId?: string | null;
  /** False if a second attempt may do the same again. Default: true. */
  readonly isRepeatable?: boolean;
  /** Raises the default timeout of one attempt, for a request that the service may answer late. In milliseconds. */
  readonly minTimeoutMs?: number;
  /** Says how a 2xx response differs from the API, or null. If it differs, the request is retried. */
  readonly problemOf: (answer: Answer) => string | null;
  readonly call: CallOptions;
}

export interface Execution {
  readonly outcome:
    | { readonly kind: 'answered'; readonly answer: Answer }
    | { readonly kind: 'given_up'; readonly error: PartnerApiError | PartnerConnectionError };
  /** Whether the service may have processed an attempt that had no clear response. */
  readonly wasUncertain: boolean;
}

/** Retries until the response is final. Rejects only with the reason of its signal. */
export type Execute = (request: ApiRequest) => Promise<Execution>;

export interface ExecuteContext extends AttemptDeps, Hooks {
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly traffic: Traffic;
  /** The most attempts without a clear response. A 429 does not count. */
  readonly maxAttempts: number;
  /** The timeout of one call, with its waits for rate limits. */
  readonly totalTimeoutMs: number;
  readonly maxRetryAfterMs: number;
  readonly random: () => number;
}

const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 20_000;
/** The 4xx statuses after which a retry can succeed. */
const RETRYABLE = new Set([408, 425]);

export function createExecute(context: ExecuteContext): Execute {
  return (request) => execute(context, request);
}

async function execute(context: ExecuteContext, request: ApiRequest): Promise<Execution> {
  const { clock, maxRetryAfterMs } = context;
  const { isRepeatable = true, call } = request;
  const maxAttempts = isRepeatable ? context.maxAttempts : 1;
  const until = clock.now() + (call.totalTimeoutMs ?? context.totalTimeoutMs);
  let failures = 0;
  let last: AttemptResult | null = null;
  for (let number = 1; ; number += 1) {
    const result = await tryOnce(context, request, number, until);
    if (result === null) break;
    last = result;
    const decision = decide(result, request);
    if (decision.kind === 'final') {
      return { outcome: { kind: 'answered', answer: decision.answer }, wasUncertain: failures > 0 };
    }
    if (decision.kind === 'uncertain') failures += 1;
    const waitMs = pauseMs(context, decision, failures);
    const isTooLate = clock.now() + Math.max(waitMs, decision.waitMs) >= until;
    const isTooLong = decision.waitMs > maxRetryAfterMs;
    if (failures >= maxAttempts || isTooLate || isTooLong) break;
    if (waitMs > 0) context.onWait({ ...factsOf(request, number + 1), reason: 'retry', waitMs, ahead: 0 });
    await clock.sleep(waitMs, call.signal);
  }
  return { outcome: { kind: 'given_up', error: lastError(last, request) }, wasUncertain: failures > 0 };
}

/**
 * Returns the response if its status is 2xx.
 * @throws PartnerApiError or PartnerConnectionError otherwise.
 */
export function answerOf({ outcome }: Execution): Answer {
  if (outcome.kind === 'given_up') throw outcome.error;
  const { answer } = outcome;
  if (answer.status >= 200 && answer.status < 300) return answer;
  throw apiErrorOf(answer);
}

/** Returns null if the rate limits allow the request only after `until`. */
async function tryOnce(
  context: ExecuteContext,
  request: ApiRequest,
  number: number,
  until: number,
): Promise<AttemptResult | null> {
  const { clock, fetch, traffic, baseUrl, apiKey } = context;
  const { method, path, route, headers, body, minTimeoutMs = 0, call } = request;
  const facts = factsOf(request, number);
  const permit = await traffic.enter(route, {
    until,
    signal: call.signal,
    onWait: (waitMs, ahead) => context.onWait({ ...facts, reason: 'rate_limit', waitMs, ahead }),
  });
  if (permit === null) return null;
  let result: AttemptResult | null = null;
  const startedAt = clock.now();
  const init: Omit<FetchInit, 'signal' | 'redirect'> = {
    method,
    headers: { ...headers, ...userAgent(), authorization: `Bearer ${apiKey}`, accept: JSON_TYPE },
    ...(body === undefined ? {} : { body }),
  };
  if (body !== undefined) init.headers['content-type'] = JSON_TYPE;
  try {
    context.onRequest({ ...facts });
    const ownMs = call.timeoutMs ?? Math.max(context.timeoutMs, minTimeoutMs);
    const timeoutMs = Math.min(ownMs, until - startedAt);
    result = await attempt({ fetch, clock, timeoutMs }, baseUrl + path, init, call.signal);
  } finally {
    permit.returned(result);
  }
  context.onAttempt(reportOf(facts, clock.now() - startedAt, result));
  return result;
}

function factsOf({ method, path, sourceApplicationId = null }: ApiRequest, attempt: number): RequestReport {
  return { method, path, sourceApplicationId, attempt };
}

const JSON_TYPE = 'application/json';
const USER_AGENT = 'partner-hiring-client/0.1.0';

/** Browsers name themselves, and would ask the service whether a page may change that. */
function userAgent(): { readonly 'user-agent'?: string } {
  const { navigator } = globalThis as { readonly navigator?: { readonly userAgent?: string } };
  return navigator?.userAgent?.startsWith('Mozilla/') === true ? {} : { 'user-agent': USER_AGENT };
}

type Decision =
  | { readonly kind: 'final'; readonly answer: Answer }
  /** The service rejected the request because the bucket's rate limit is used up. */
  | { readonly kind: 'throttled'; readonly waitMs: number }
  | { readonly kind: 'uncertain'; readonly waitMs: number };

function decide(result: AttemptResult, request: ApiRequest): Decision {
  if (result.kind === 'lost') return { kind: 'uncertain', waitMs: 0 };
  const { answer } = result;
  const { status } = answer;
  const waitMs = (retryAfterSecondsOf(answer) ?? 0) * 1_000;
  if (status === 429) return { kind: 'throttled', waitMs };
  const isUnderWay = status === 409 && apiErrorOf(answer).code === 'IDEMPOTENCY_KEY_IN_PROGRESS';
  const isUnreadable = status >= 200 && status < 300 && unexpectedIn(answer, request) !== null;
  const isUncertain = status >= 500 || RETRYABLE.has(status) || isUnderWay || isUnreadable;
  return isUncertain ? { kind: 'uncertain', waitMs } : { kind: 'final', answer };
}

/** Exponential backoff with jitter, on top of `Retry-After`. `failures` counts uncertain attempts. */
function pauseMs(
  { random }: ExecuteContext,
  { kind, waitMs }: Exclude<Decision, { kind: 'final' }>,
  failures: number,
): number {
  // The bucket's queue already waits for the rate limit.
  if (kind === 'throttled') return 0;
  const backoffMs = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (failures - 1));
  return waitMs + Math.ceil(backoffMs * (0.5 + random() / 2));
}

/** Says how a 2xx response differs from the API, or null. */
function unexpectedIn(answer: Answer, { problemOf }: ApiRequest): string | null {
  if (answer.isTooLarge === true) return 'it is larger than 32 MiB';
  return answer.json === undefined && answer.status !== 204 ? 'it is not JSON' : problemOf(answer);
}

function lastError(
  last: AttemptResult | null,
  request: ApiRequest,
): PartnerApiError | PartnerConnectionError {
  if (last === null) {
    const message = 'The request was not sent: the rate limit did not allow it within totalTimeoutMs.';
    return new PartnerConnectionError('throttled', message);
  }
  if (last.kind === 'lost') {
    const message =
      last.reason === 'timeout'
        ? 'No response within timeoutMs or totalTimeoutMs.'
        : `No response: ${describe(last.cause)}.`;
    return new PartnerConnectionError(last.reason, message, { cause: last.cause });
  }
  const { answer } = last;
  if (answer.status >= 300) return apiErrorOf(answer);
  const problem = unexpectedIn(answer, request) ?? 'it is unexpected';
  return new PartnerConnectionError(
    'invalid_answer',
    `The response with status ${answer.status} does not match the partner API: ${problem}. Check baseUrl.`,
    { requestId: requestIdOf(answer) },
  );
}

/** Describes an error of `fetch`. Its message only says that `fetch` failed. Its `cause` has the reason. */
function describe(error: unknown): string {
  if (!isError(error) || !isError(error.cause)) return String(error);
  const { cause } = error;
  // If `fetch` tried several addresses, the cause has a code but no message.
  const reason = cause.message || (codeOf(cause) ?? cause.name);
  return `${error.message} (${reason})`;
}
