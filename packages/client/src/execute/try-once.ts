import type { ApiRequest } from './api-request.js';
import { type AttemptResult, attempt } from './attempt.js';
import { reportOf } from './attempt-report.js';
import type { ExecuteContext } from './execute-context.js';

/** Makes one attempt as soon as the limits allow; null if that would be later than `until`. */
export async function tryOnce(
  context: ExecuteContext,
  request: ApiRequest,
  number: number,
  until: number,
): Promise<AttemptResult | null> {
  const { clock, traffic, baseUrl } = context;
  const { method, path, route, signal } = request;
  const permit = await traffic.enter(route, until, signal);
  if (permit === null) return null;
  let result: AttemptResult | null = null;
  const startedAt = clock.now();
  try {
    result = await attempt(context, baseUrl + path, initOf(context, request), signal);
  } finally {
    permit.returned(result);
  }
  const durationMs = clock.now() - startedAt;
  context.onAttempt(reportOf({ method, path, attempt: number, durationMs }, result));
  return result;
}

function initOf({ apiKey }: ExecuteContext, { method, headers, body }: ApiRequest) {
  return {
    method,
    headers: { authorization: `Bearer ${apiKey}`, accept: 'application/json', ...headers },
    ...(body === undefined ? {} : { body }),
  };
}
