import { type Answer, apiErrorOf, requestIdOf } from './answer.js';
import { type AttemptDeps, type AttemptResult, attempt } from './attempt.js';
import { type PartnerApiError, PartnerConnectionError } from './errors.js';
import type { Route } from './route.js';
import type { Traffic } from './traffic.js';
import { judge, type Verdict } from './verdict.js';

/** One request to the API, however many attempts it takes. */
export interface ApiRequest {
  readonly method: 'GET' | 'POST';
  /** Under the base address, with the query. */
  readonly path: string;
  readonly route: Route;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Whether a success has the form that was asked for: anything else is as good as no answer. */
  readonly isExpected: (answer: Answer) => boolean;
  readonly signal?: AbortSignal | undefined;
}

/** What a request came to. */
export interface Execution {
  /** An answer that stands, or why there is none. */
  readonly outcome:
    | { readonly kind: 'answered'; readonly answer: Answer }
    | { readonly kind: 'given_up'; readonly error: PartnerApiError | PartnerConnectionError };
  /** Whether an attempt before the last may have been done without our knowing. */
  readonly wasUncertain: boolean;
}

/** One attempt, for logs and metrics. It holds no key and nothing of the candidate. */
export interface AttemptReport {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  /** Counts from 1 within a request. */
  readonly attempt: number;
  /** Null if there was no answer; `failure` says why. */
  readonly status: number | null;
  readonly failure: 'network' | 'timeout' | null;
  /** `X-Request-Id`; null if there was no answer, or none of the service's. */
  readonly requestId: string | null;
  readonly durationMs: number;
}

/** What executing needs. */
export interface ExecuteDeps extends AttemptDeps {
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly traffic: Traffic;
  /** Uncertain attempts of one request, at most. Waiting for a limit is none. */
  readonly maxAttempts: number;
  /** From asking to the last answer, waits for limits included. */
  readonly totalTimeoutMs: number;
  /** The longest time that an answer may ask to wait for. */
  readonly maxRetryAfterMs: number;
  /** From 0 up to 1. */
  readonly random: () => number;
  readonly onAttempt: (report: AttemptReport) => void;
}

/** Sends a request until it has an answer that stands. It rejects only with what the signal was aborted with. */
export type Execute = (request: ApiRequest) => Promise<Execution>;

/** The first pause after a lost answer; each next one is twice as long. */
const FIRST_PAUSE_MS = 500;
/** An outage that is over should not be waited for much longer. */
const LONGEST_PAUSE_MS = 20_000;

/** Builds the one place that talks to the service. */
export function createExecute(deps: ExecuteDeps): Execute {
  const { clock, traffic, totalTimeoutMs, maxAttempts, maxRetryAfterMs } = deps;

  async function tryOnce(request: ApiRequest, number: number, until: number): Promise<AttemptResult | null> {
    const permit = await traffic.enter(request.route, until, request.signal);
    if (permit === null) return null;
    let result: AttemptResult | null = null;
    const startedAt = clock.now();
    try {
      result = await attempt(deps, deps.baseUrl + request.path, initOf(deps, request), request.signal);
    } finally {
      permit.returned(result);
    }
    deps.onAttempt(reportOf(request, number, result, clock.now() - startedAt));
    return result;
  }

  function pauseMs(verdict: Exclude<Verdict, { kind: 'final' }>, failures: number): number {
    // The lane or the whole key is closed by now; there it waits in the queue.
    if (verdict.kind === 'throttled') return 0;
    const growing = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (failures - 1));
    return verdict.waitMs + Math.ceil(growing * (0.5 + deps.random() / 2));
  }

  return async (request) => {
    const until = clock.now() + totalTimeoutMs;
    let wasUncertain = false;
    let failures = 0;
    let last: AttemptResult | null = null;
    for (let number = 1; ; number += 1) {
      const result = await tryOnce(request, number, until);
      if (result === null) return { outcome: giveUp(last), wasUncertain };
      last = result;
      const verdict = judge(result, request.isExpected);
      if (verdict.kind === 'final') {
        return { outcome: { kind: 'answered', answer: verdict.answer }, wasUncertain };
      }
      if (verdict.kind === 'uncertain') {
        wasUncertain = true;
        failures += 1;
      }
      const waitMs = pauseMs(verdict, failures);
      const isTooLate = clock.now() + Math.max(waitMs, verdict.waitMs) >= until;
      const isTooLong = verdict.waitMs > maxRetryAfterMs;
      if (failures >= maxAttempts || isTooLate || isTooLong) return { outcome: giveUp(last), wasUncertain };
      await clock.sleep(waitMs, request.signal);
    }
  };
}

/** An answer that was expected and stands, or the error that it is. */
export function answerOf({ outcome }: Execution): Answer {
  if (outcome.kind === 'given_up') throw outcome.error;
  const { answer } = outcome;
  if (answer.status >= 200 && answer.status < 300) return answer;
  throw apiErrorOf(answer);
}

function initOf({ apiKey }: ExecuteDeps, { method, headers, body }: ApiRequest) {
  return {
    method,
    headers: { authorization: `Bearer ${apiKey}`, accept: 'application/json', ...headers },
    ...(body === undefined ? {} : { body }),
  };
}

function giveUp(last: AttemptResult | null): Execution['outcome'] {
  return { kind: 'given_up', error: lastError(last) };
}

function lastError(last: AttemptResult | null): PartnerApiError | PartnerConnectionError {
  if (last === null) {
    const message = 'It was not sent: the wait for the rate limit took longer than totalTimeoutMs.';
    return new PartnerConnectionError('throttled', message);
  }
  if (last.kind === 'lost') {
    const message =
      last.reason === 'timeout' ? 'No answer within timeoutMs.' : `No answer: ${describe(last.cause)}.`;
    return new PartnerConnectionError(last.reason, message, { cause: last.cause });
  }
  const { answer } = last;
  if (answer.status >= 300) return apiErrorOf(answer);
  const message = `The answer with status ${answer.status} is not what the service sends: see that baseUrl is right.`;
  return new PartnerConnectionError('invalid_answer', message);
}

/** `fetch` says no more than that it failed; why is in its cause. */
function describe(error: unknown): string {
  if (!(error instanceof Error) || !(error.cause instanceof Error)) return String(error);
  return `${error.message} (${reasonOf(error.cause)})`;
}

/** Where several addresses were tried, the error has no message, but a code. */
function reasonOf(cause: Error): string {
  return cause.message || ('code' in cause ? String(cause.code) : cause.name);
}

function reportOf(
  { method, path }: ApiRequest,
  number: number,
  result: AttemptResult | null,
  durationMs: number,
): AttemptReport {
  const answer = result?.kind === 'answered' ? result.answer : null;
  return {
    method,
    path,
    attempt: number,
    status: answer?.status ?? null,
    failure: result?.kind === 'lost' ? result.reason : null,
    requestId: answer === null ? null : requestIdOf(answer),
    durationMs,
  };
}
