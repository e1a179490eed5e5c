import type { Answer } from '../../../packages/client/src/answer.js';
import type { ClientClock } from '../../../packages/client/src/clock.js';
import type { Route } from '../../../packages/client/src/traffic/bucket-queues.js';
import { createTraffic } from '../../../packages/client/src/traffic/traffic.js';
import type { Permit } from '../../../packages/client/src/traffic/traffic-state.js';
import { createFakeClock, STORY_START } from '../clock.js';

export const READ: Route = { kind: 'read_application' };
export const LIST: Route = { kind: 'list_jobs' };
export const to = (jobId: string): Route => ({ kind: 'submit_application', jobId });
/** Converts seconds to milliseconds. */
export const seconds = (count: number) => count * 1_000;

/** The deadline of a request, by default in an hour, and its abort signal. */
interface Asked {
  readonly withinMs?: number;
  readonly signal?: AbortSignal;
  readonly onWait?: (waitMs: number, ahead: number) => void;
}

/** Opens the client's traffic control on a fake clock, and counts its timers. */
export function openTraffic({ maxConcurrency = 8 } = {}) {
  const clock = createFakeClock();
  const timers = { begun: 0, running: 0 };
  const counted: ClientClock = {
    now: clock.now,
    sleep: async (ms, signal) => {
      timers.begun += 1;
      timers.running += 1;
      await clock.sleep(ms, signal);
      timers.running -= 1;
    },
  };
  const traffic = createTraffic(counted, { maxConcurrency, maxRetryAfterMs: seconds(300) });

  function ask(route: Route, { withinMs = seconds(3_600), signal, onWait }: Asked = {}) {
    const asked = { permit: null as Permit | null, leftAfter: null as number | null, end: 'waits' };
    traffic.enter(route, { until: clock.now() + withinMs, signal, onWait }).then(
      (permit) => {
        Object.assign(asked, { permit, end: permit === null ? 'given up' : 'left' });
        if (permit !== null) asked.leftAfter = clock.now() - STORY_START;
      },
      (reason: unknown) => Object.assign(asked, { end: String(reason) }),
    );
    return asked;
  }

  return { clock, timers, traffic, ask };
}

/** An attempt with a response. */
export function answer(status: number, headers: Readonly<Record<string, string>> = {}, json: unknown = {}) {
  const result: Answer = { status, headers: new Headers(headers), json };
  return { kind: 'answered', answer: result } as const;
}

/** Returns an attempt with a 429. `whose` has the scope and the company of the exceeded limit. */
export const refusal = (retryAfter: number, whose: Readonly<Record<string, string>>, headers = {}) =>
  answer(
    429,
    { 'retry-after': String(retryAfter), ...headers },
    { error: 'RATE_LIMITED', message: 'Slower.', ...whose },
  );

/** Returns what became of each request: `waits`, `left`, `given up`, or the reason of its rejection. */
export const endsOf = (asked: readonly { readonly end: string }[]) => asked.map(({ end }) => end);
/** When each request left, since the start of the test; null if it has not. */
export const leftAfter = (asked: readonly { readonly leftAfter: number | null }[]) =>
  asked.map((one) => one.leftAfter);
