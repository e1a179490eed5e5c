import { ERROR, GONE, OK, SAMPLE_ENDPOINT } from '@partner-hiring/test-support/sample-endpoint';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { AttemptOutcome } from './delivery.js';
import {
  endpointAfter,
  endpointAfterEach,
  hideQuery,
  resumeEndpoint,
  type StoredEndpoint,
} from './endpoint.js';
import { signingSecrets } from './endpoint-secrets.js';

const HOUR = 3_600_000;
const UNREACHABLE: AttemptOutcome = { kind: 'failed', failure: 'connection_failed', message: '' };

const fresh: StoredEndpoint = { ...SAMPLE_ENDPOINT, url: 'https://ats.example/hooks' };

function ended(outcome: AttemptOutcome, endedAt: number) {
  return { outcome, endedAt, latencyMs: 0, random: 0.5 };
}

function after(
  endpoint: StoredEndpoint,
  outcomes: readonly (readonly [AttemptOutcome, number])[],
): StoredEndpoint {
  return outcomes.reduce((current, [outcome, at]) => endpointAfter(current, ended(outcome, at)), endpoint);
}

function failures(count: number, outcome = ERROR, from = 0): [AttemptOutcome, number][] {
  return Array.from({ length: count }, (_, index) => [outcome, from + index]);
}

describe('auto-pause after 50 consecutive failures', () => {
  test('49 do not pause, the 50th does', () => {
    expect(after(fresh, failures(49)).state.kind).toBe('active');
    expect(after(fresh, failures(50)).state).toEqual({
      kind: 'paused',
      reason: 'consecutive_failures',
      pausedAt: 49,
    });
  });

  test('no response counts as a failure', () => {
    expect(after(fresh, failures(50, UNREACHABLE)).state.kind).toBe('paused');
  });

  test('a success resets the count', () => {
    const nearly = after(fresh, [...failures(49), [OK, 60], ...failures(49, ERROR, 70)]);
    expect(nearly.state.kind).toBe('active');
    expect(endpointAfter(nearly, ended(ERROR, 200)).state.kind).toBe('paused');
  });
});

describe('auto-pause after 24 hours without a success', () => {
  test('counted from the first failure since the last success, to the millisecond', () => {
    const failing = after(fresh, [
      [OK, 0],
      [ERROR, 30 * HOUR],
    ]);
    expect(failing.state.kind).toBe('active');
    expect(endpointAfter(failing, ended(ERROR, 54 * HOUR - 1)).state.kind).toBe('active');
    expect(endpointAfter(failing, ended(ERROR, 54 * HOUR)).state).toEqual({
      kind: 'paused',
      reason: 'no_success',
      pausedAt: 54 * HOUR,
    });
  });

  test('an idle endpoint is never paused', () => {
    const idle = after(fresh, [
      [OK, 0],
      [ERROR, 24_000 * HOUR],
    ]);
    expect(idle.state.kind).toBe('active');
  });

  test('a success resets the time', () => {
    const back = after(fresh, [
      [ERROR, 0],
      [OK, 23 * HOUR],
      [ERROR, 25 * HOUR],
    ]);
    expect(back.state.kind).toBe('active');
    expect(back.health).toEqual({
      consecutiveFailures: 1,
      firstFailureAt: 25 * HOUR,
      lastSuccessAt: 23 * HOUR,
      lastFailure: { kind: 'answered', status: 500 },
      failingWarnedAt: null,
      pauseWarnedAt: null,
      nextWarningAt: 26 * HOUR,
      deadLettersToldAt: null,
      reportedAt: null,
      gap: null,
    });
  });

  test('a success 24 hours after a failure does not pause', () => {
    expect(
      after(fresh, [
        [ERROR, 0],
        [OK, 48 * HOUR],
      ]).state.kind,
    ).toBe('active');
  });
});

test('HTTP 410 pauses immediately', () => {
  expect(endpointAfter(fresh, ended(GONE, 7)).state).toEqual({ kind: 'paused', reason: 'gone', pausedAt: 7 });
});

describe('a paused endpoint', () => {
  const paused = endpointAfter(fresh, ended(GONE, 7));

  test('is not resumed by an attempt in flight, and keeps its first reason', () => {
    for (const outcome of [OK, ERROR, GONE])
      expect(endpointAfter(paused, ended(outcome, 9)).state).toEqual(paused.state);
    expect(after(paused, failures(60)).state).toEqual(paused.state);
  });

  test('is resumed with reset counters: the next pause takes 50 failures', () => {
    const resumed = resumeEndpoint(after(fresh, failures(50)), 60);
    expect(resumed.state).toEqual({ kind: 'active' });
    expect(after(resumed, failures(49, ERROR, 100 * HOUR)).state.kind).toBe('active');
    expect(after(resumed, failures(50, ERROR, 100 * HOUR)).state.kind).toBe('paused');
  });

  test('that failed for days is not paused by its first failure after resuming', () => {
    const dark = after(fresh, [
      [OK, 0],
      [ERROR, 1],
      [ERROR, 25 * HOUR],
    ]);
    const resumed = resumeEndpoint(dark, 26 * HOUR);
    expect(endpointAfter(resumed, ended(ERROR, 80 * HOUR)).state.kind).toBe('active');
    expect(resumed.health.lastSuccessAt).toBe(0);
  });

  test('that is already active keeps its counters, and gets one attempt now behind a gap', () => {
    const failing = after(fresh, failures(4));
    expect(resumeEndpoint(failing, 20)).toBe(failing);
    const probed = after(fresh, failures(10));
    const { gap } = probed.health;
    expect(resumeEndpoint(probed, 20)).toEqual({
      ...probed,
      health: { ...probed.health, gap: { ...gap, until: 20 } },
    });
  });
});

test('for any outcomes, it is paused exactly when a rule applies', () => {
  const outcome = fc.oneof({ weight: 40, arbitrary: fc.constantFrom(ERROR, UNREACHABLE) }, fc.constant(OK));
  const history = fc.array(fc.tuple(outcome, fc.nat(HOUR)), { maxLength: 120, size: 'max' });
  fc.assert(
    fc.property(history, (steps) => {
      let at = 0;
      let endpoint = fresh;
      let inARow = 0;
      let darkSince: number | null = null;
      for (const [result, wait] of steps) {
        at += wait;
        endpoint = endpointAfter(endpoint, ended(result, at));
        inARow = result === OK ? 0 : inARow + 1;
        darkSince = result === OK ? null : (darkSince ?? at);
        const isDark = darkSince !== null && at - darkSince >= 24 * HOUR;
        expect(endpoint.state.kind === 'paused').toBe(inARow >= 50 || isDark);
        if (endpoint.state.kind === 'paused') return;
      }
    }),
  );
});

test('during a rotation both secrets sign, the new one first, until the old one expires', () => {
  const secrets = [
    { sealed: 'new', createdAt: 0, expiresAt: null },
    { sealed: 'old', createdAt: 0, expiresAt: 1_000 },
  ];
  const names = (now: number) => signingSecrets({ ...fresh, secrets }, now).map(({ sealed }) => sealed);
  expect(names(999)).toEqual(['new', 'old']);
  expect(names(1_000)).toEqual(['new']);
});

test('applying many attempts at once equals applying them one at a time', () => {
  const outcome = fc.constantFrom(OK, OK, OK, ERROR, UNREACHABLE, GONE);
  fc.assert(
    fc.property(fc.array(fc.tuple(outcome, fc.nat(2 * HOUR)), { maxLength: 120, size: 'max' }), (steps) => {
      const outcomes: [AttemptOutcome, number][] = [];
      for (const [each, wait] of steps) outcomes.push([each, (outcomes.at(-1)?.[1] ?? 0) + wait]);
      const ends = outcomes.map(([each, endedAt]) => ended(each, endedAt));
      expect(endpointAfterEach(fresh, ends)).toEqual(after(fresh, outcomes));
    }),
  );
});

test.each([
  ['https://ats.example/hooks', 'https://ats.example/hooks'],
  ['https://ats.example/hooks?', 'https://ats.example/hooks?'],
  ['https://ats.example/hooks?token=x&y=?#part', 'https://ats.example/hooks?…'],
  ['https://ats.example/?x=%0A', 'https://ats.example/?…'],
  ['https://ats.example/hooks#part?x', 'https://ats.example/hooks#…'],
])('%s is shown as %s to those who may not set it', (url, shown) => {
  expect(hideQuery({ ...fresh, url, replacedUrl: { url, at: 1 } })).toEqual({
    ...fresh,
    url: shown,
    replacedUrl: { url: shown, at: 1 },
  });
  expect(hideQuery({ url })).toEqual({ url: shown });
});
