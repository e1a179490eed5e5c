import { describe, expect, test } from 'vitest';
import type { AttemptOutcome } from './delivery.js';
import { endpointAfter, FRESH_HEALTH, NEAR_PAUSE_MS, type StoredEndpoint } from './endpoint.js';
import { failingFacts, warnByFailures, warnByTime } from './failing-endpoint.js';
import { HOUR_MS } from './time.js';

const FRESH: StoredEndpoint = {
  keyId: 'key_1',
  url: 'https://user.example:8443/secret/path?token=1',
  state: { kind: 'active' },
  health: FRESH_HEALTH,
  secrets: [],
  createdAt: 0,
  resumedAt: null,
  replacedUrl: null,
};
const ERROR = { kind: 'failed', failure: 'tls_failed', message: 'It is expired.' } as const;
const ended = (endedAt: number, outcome: AttemptOutcome = ERROR) => ({
  outcome,
  endedAt,
  latencyMs: 0,
  random: 0.5,
});
const FAILING = endpointAfter(FRESH, ended(1_000));

describe('warnings by time', () => {
  test('come once after an hour and once at nine tenths of a day', () => {
    expect(warnByTime(FAILING, 999 + HOUR_MS).reasons).toEqual([]);
    const hour = warnByTime(FAILING, 1_000 + HOUR_MS);
    expect(hour.reasons).toEqual(['one_hour']);
    expect(hour.endpoint.health.nextWarningAt).toBe(1_000 + NEAR_PAUSE_MS);
    expect(warnByTime(hour.endpoint, 999 + NEAR_PAUSE_MS).reasons).toEqual([]);
    const near = warnByTime(hour.endpoint, 1_000 + NEAR_PAUSE_MS);
    expect(near.reasons).toEqual(['near_pause']);
    expect(near.endpoint.health.nextWarningAt).toBeNull();
    expect(warnByTime(near.endpoint, 99 * NEAR_PAUSE_MS).reasons).toEqual([]);
  });

  test('come both at once if no worker ran in between', () => {
    expect(warnByTime(FAILING, 2 * NEAR_PAUSE_MS).reasons).toEqual(['one_hour', 'near_pause']);
  });

  test('do not come for an endpoint that is paused or does not fail', () => {
    const paused = { ...FAILING, state: { kind: 'paused', reason: 'operator', pausedAt: 2_000 } } as const;
    expect(warnByTime(paused, 99 * HOUR_MS)).toEqual({ endpoint: paused, reasons: [] });
    expect(warnByTime(FRESH, 99 * HOUR_MS)).toEqual({ endpoint: FRESH, reasons: [] });
  });

  test('come again after a success', () => {
    const warned = warnByTime(FAILING, 2 * NEAR_PAUSE_MS).endpoint;
    const back = endpointAfter(
      warned,
      ended(3 * NEAR_PAUSE_MS, { kind: 'answered', status: 200, excerpt: '' }),
    );
    expect(back.health).toEqual({ ...FRESH_HEALTH, lastSuccessAt: 3 * NEAR_PAUSE_MS });
    const again = endpointAfter(back, ended(3 * NEAR_PAUSE_MS));
    expect(warnByTime(again, 3 * NEAR_PAUSE_MS + HOUR_MS).reasons).toEqual(['one_hour']);
  });
});

test('the warning by failures comes at the 45th in a row, even before the hour is over', () => {
  const with44 = { ...FAILING, health: { ...FAILING.health, consecutiveFailures: 44 } };
  expect(warnByFailures(with44, 2_000)).toBeNull();
  const warned = warnByFailures(endpointAfter(with44, ended(2_000)), 2_000);
  expect(warned?.health).toMatchObject({ pauseWarnedAt: 2_000, nextWarningAt: 1_000 + HOUR_MS });
  if (warned === null) throw new Error('There is a warning.');
  expect(warnByFailures(endpointAfter(warned, ended(3_000)), 3_000)).toBeNull();
  expect(warnByTime(warned, 1_000 + NEAR_PAUSE_MS).reasons).toEqual(['one_hour']);
});

test('a warning has the origin of the URL only, and why the last attempt failed', () => {
  expect(failingFacts(FAILING)).toEqual({
    keyId: 'key_1',
    origin: 'https://user.example:8443',
    failingSince: 1_000,
    attempts: 1,
    lastFailure: { kind: 'failed', failure: 'tls_failed' },
  });
  expect(failingFacts(FRESH)).toBeNull();
});
