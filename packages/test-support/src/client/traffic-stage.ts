import type { Answer } from '../../../client/src/answer.js';
import type { ClientClock } from '../../../client/src/clock.js';
import type { Route } from '../../../client/src/traffic/bucket-queues.js';
import { createTraffic } from '../../../client/src/traffic/traffic.js';
import type { Permit } from '../../../client/src/traffic/traffic-state.js';
import { createFakeClock, STORY_START } from '../clock.js';

/** The reading of one application. */
export const READ: Route = { kind: 'read_application' };
/** The list of jobs. */
export const LIST: Route = { kind: 'list_jobs' };
/** A submission to that job. */
export const to = (jobId: string): Route => ({ kind: 'submit_application', jobId });
/** So many, in milliseconds. */
export const seconds = (count: number) => count * 1_000;

/** How long a request may wait, an hour unless given, and what ends it sooner. */
interface Asked {
  readonly withinMs?: number;
  readonly signal?: AbortSignal;
}

/** Traffic on a clock that is turned by hand, its timers counted. */
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

  function ask(route: Route, { withinMs = seconds(3_600), signal }: Asked = {}) {
    const asked = { permit: null as Permit | null, leftAfter: null as number | null, end: 'waits' };
    traffic.enter(route, clock.now() + withinMs, signal).then(
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

/** An attempt that was answered so. */
export function answer(status: number, headers: Readonly<Record<string, string>> = {}, json: unknown = {}) {
  const result: Answer = { status, headers: new Headers(headers), json };
  return { kind: 'answered', answer: result } as const;
}

/** An attempt that met a 429; `whose`: its scope, and the company if it names one. */
export const refusal = (retryAfter: number, whose: Readonly<Record<string, string>>, headers = {}) =>
  answer(
    429,
    { 'retry-after': String(retryAfter), ...headers },
    { error: 'RATE_LIMITED', message: 'Slower.', ...whose },
  );

/** How each has fared: it waits, left, was given up, or ended with a reason. */
export const endsOf = (asked: readonly { readonly end: string }[]) => asked.map(({ end }) => end);
/** When each left, counted from the beginning of the story; null: it has not. */
export const leftAfter = (asked: readonly { readonly leftAfter: number | null }[]) =>
  asked.map((one) => one.leftAfter);
