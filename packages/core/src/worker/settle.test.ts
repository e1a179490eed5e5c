import { ERROR, GONE, OK, SAMPLE_ENDPOINT } from '@partner-hiring/test-support/sample-endpoint';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type AttemptOutcome, isSuccess, newDelivery, type StoredDelivery } from '../domain/delivery.js';
import { FRESH_HEALTH, PAUSE_AFTER_DARK_MS, PAUSE_AFTER_FAILURES } from '../domain/endpoint.js';
import type { EventId } from '../domain/ids.js';
import { decideSettlement, type EndedAttempt, type SenderReport } from './settle.js';

const KEY = 'key_1';
const NOW = 1_000_000;

function fresh(at: number): StoredDelivery {
  return newDelivery({ keyId: KEY, id: `evt_${at}`, at }, NOW);
}

function ended(
  delivery: StoredDelivery,
  outcome: AttemptOutcome,
  more: Partial<EndedAttempt> = {},
): EndedAttempt {
  return {
    delivery,
    hasRow: false,
    url: SAMPLE_ENDPOINT.url,
    outcome,
    endedAt: NOW,
    latencyMs: 7,
    random: 0.5,
    ...more,
  };
}

function decide(
  report: Partial<SenderReport>,
  { endpoint = SAMPLE_ENDPOINT, watermark = 0, rows = [] as readonly StoredDelivery[] } = {},
) {
  let alerts = 0;
  return decideSettlement(
    { endpoint, watermark },
    new Map(rows.map((row) => [row.eventId, row])),
    { ended: [], unfinished: [], ...report },
    () => {
      alerts += 1;
      return `alr_${alerts}`;
    },
  );
}

describe('decideSettlement', () => {
  it('advances the watermark over successes without a row', () => {
    const { watermark, deliveries, successes } = decide({
      ended: [ended(fresh(3), OK), ended(fresh(2), OK)],
    });
    expect(watermark).toBe(3);
    expect(deliveries).toEqual([]);
    const success = { deliveredAt: NOW, status: 204, latencyMs: 7, attempts: 1, cycle: 1 };
    expect(successes).toEqual([
      { eventAt: 3, ...success },
      { eventAt: 2, ...success },
    ]);
  });

  it('counts attempts in any order', () => {
    const { deliveries, endpoint } = decide({ ended: [ended(fresh(3), OK), ended(fresh(2), ERROR)] });
    expect(deliveries).toMatchObject([{ eventId: 'evt_2', state: 'pending', attempts: 1 }]);
    expect(endpoint.health).toMatchObject({ consecutiveFailures: 1, lastSuccessAt: NOW });
  });

  it('adds a row for failures and for unfinished events behind the watermark', () => {
    const { watermark, deliveries, passed } = decide({
      ended: [ended(fresh(2), ERROR), ended(fresh(4), OK)],
      unfinished: [
        { delivery: fresh(3), hasRow: false },
        { delivery: fresh(5), hasRow: false },
      ],
    });
    expect(watermark).toBe(4);
    expect(
      deliveries.map(({ eventId, state, attempts, dueAt }) => [eventId, state, attempts, dueAt]),
    ).toEqual([
      ['evt_2', 'pending', 1, NOW + 60_000],
      ['evt_3', 'pending', 0, NOW],
    ]);
    expect(passed.map(({ eventId }) => eventId)).toEqual(['evt_3']);
  });

  it('delays a retry by the jitter of the attempt', () => {
    const dueAfter = (random: number) =>
      Number(decide({ ended: [ended(fresh(2), ERROR, { random })] }).deliveries[0]?.dueAt) - NOW;
    expect([dueAfter(0), dueAfter(0.5)]).toEqual([45_000, 60_000]);
  });

  it('marks a row delivered', () => {
    const row = { ...fresh(2), attempts: 3 };
    const { deliveries, watermark } = decide(
      { ended: [ended(row, OK, { hasRow: true })] },
      { rows: [row], watermark: 7 },
    );
    expect(deliveries).toMatchObject([{ eventId: 'evt_2', state: 'delivered', attempts: 4, dueAt: null }]);
    expect(watermark).toBe(7);
  });

  it('adds one alert for a dead letter at the tenth attempt', () => {
    const row = { ...fresh(2), attempts: 9 };
    const { deliveries, alerts } = decide({ ended: [ended(row, ERROR, { hasRow: true })] }, { rows: [row] });
    expect(deliveries).toMatchObject([{ state: 'dead', attempts: 10, dueAt: null }]);
    const { origin } = new URL(SAMPLE_ENDPOINT.url);
    const facts = { keyId: KEY, eventId: 'evt_2', attempts: 10, at: NOW, origin };
    expect(alerts).toEqual([{ id: 'alr_1', kind: 'delivery_dead', isFirstOfDay: true, ...facts }]);
  });

  it('warns at the 45th consecutive failure and pauses at the fiftieth, with one alert each', () => {
    const failures = Array.from({ length: PAUSE_AFTER_FAILURES + 3 }, (_, index) =>
      ended(fresh(index + 1), ERROR, { endedAt: NOW + index }),
    );
    const { endpoint, alerts } = decide({ ended: failures });
    expect(endpoint.state).toEqual({
      kind: 'paused',
      reason: 'consecutive_failures',
      pausedAt: NOW + PAUSE_AFTER_FAILURES - 1,
    });
    const at = NOW + PAUSE_AFTER_FAILURES - 1;
    const { origin } = new URL(SAMPLE_ENDPOINT.url);
    expect(alerts).toEqual([
      {
        id: 'alr_1',
        kind: 'endpoint_failing',
        keyId: KEY,
        reason: 'near_pause',
        origin,
        at: NOW + 44,
        failingSince: NOW,
        attempts: 45,
        lastFailure: { kind: 'answered', status: 500 },
      },
      { id: 'alr_2', kind: 'endpoint_paused', keyId: KEY, reason: 'consecutive_failures', origin, at },
    ]);
  });

  it('pauses on a failure 24 hours after the first, and at once on a 410', () => {
    const dark = {
      ...SAMPLE_ENDPOINT,
      health: { ...FRESH_HEALTH, consecutiveFailures: 3, firstFailureAt: NOW },
    };
    const late = ended(fresh(1), ERROR, { endedAt: NOW + PAUSE_AFTER_DARK_MS });
    expect(decide({ ended: [late] }, { endpoint: dark }).endpoint.state).toMatchObject({
      reason: 'no_success',
    });
    expect(decide({ ended: [ended(fresh(1), GONE)] }).endpoint.state).toMatchObject({ reason: 'gone' });
  });

  it('counts a failure at a former URL only for its delivery, a success also for the endpoint', () => {
    const url = 'https://former.example/hooks';
    const { endpoint, deliveries, alerts } = decide({
      ended: [ended(fresh(1), GONE, { url }), ended(fresh(2), ERROR, { url }), ended(fresh(3), OK, { url })],
    });
    expect(deliveries).toMatchObject([{ attempts: 1 }, { attempts: 1 }]);
    expect(endpoint).toEqual({ ...SAMPLE_ENDPOINT, health: { ...FRESH_HEALTH, lastSuccessAt: NOW } });
    expect(alerts).toEqual([]);
  });

  it('leaves an endpoint that an operator paused', () => {
    const paused = {
      ...SAMPLE_ENDPOINT,
      state: { kind: 'paused', reason: 'operator', pausedAt: 5 },
    } as const;
    const { endpoint, alerts } = decide(
      { ended: [ended(fresh(1), GONE), ended(fresh(2), OK)] },
      { endpoint: paused },
    );
    expect(endpoint.state).toEqual(paused.state);
    expect(alerts).toEqual([]);
  });

  it('counts attempts once when a commit of unknown outcome is repeated', () => {
    const row = { ...fresh(1), attempts: 2 };
    const report = { ended: [ended(row, ERROR, { hasRow: true }), ended(fresh(8), ERROR)] };
    const first = decide(report, { rows: [row], watermark: 5 });
    const again = decide(report, {
      rows: first.deliveries,
      watermark: first.watermark,
      endpoint: first.endpoint,
    });
    expect(first.endpoint.health.consecutiveFailures).toBe(2);
    expect(again).toEqual({ ...first, deliveries: [], alerts: [] });
  });

  it('adds rows once when a commit of unknown outcome is repeated', () => {
    const report = {
      ended: [ended(fresh(4), OK)],
      unfinished: [{ delivery: fresh(3), hasRow: false }],
    };
    const first = decide(report);
    const again = decide(report, { watermark: first.watermark });
    expect(again.deliveries).toEqual([]);
    expect(again.passed).toEqual(first.passed);
  });

  it('counts an attempt for the cycle in which it began', () => {
    const row = { ...fresh(1), attempts: 3 };
    const again = { ...row, attempts: 0, cycle: 2, dueAt: NOW - 8 };
    const { deliveries, endpoint } = decide({ ended: [ended(row, OK, { hasRow: true })] }, { rows: [again] });
    expect(deliveries).toMatchObject([{ state: 'delivered', attempts: 1, cycle: 2 }]);
    expect(endpoint.health.lastSuccessAt).toBe(NOW);
  });

  it.each([
    ['the cycle has an attempt already', { attempts: 1, dueAt: NOW - 8 }],
    ['an operator resent the event meanwhile', { attempts: 0, dueAt: NOW }],
    ['the attempt began before the cycle', { attempts: 0, dueAt: NOW - 7 }],
    ['the cycle was cancelled', { attempts: 0, state: 'cancelled', dueAt: null }],
  ] as const)('does not count an attempt for a later cycle when %s', (_, changes) => {
    const row = { ...fresh(1), attempts: 3 };
    const again = { ...row, cycle: 2, ...changes };
    const { deliveries, endpoint } = decide({ ended: [ended(row, OK, { hasRow: true })] }, { rows: [again] });
    expect(deliveries).toEqual([]);
    expect(endpoint).toEqual(SAMPLE_ENDPOINT);
  });

  it.each(['delivered', 'dead'] as const)('does not count an attempt of a delivery that is %s', (state) => {
    const row = { ...fresh(1), attempts: 9 };
    const done = { ...row, state, attempts: 10, dueAt: null };
    expect(decide({ ended: [ended(row, OK, { hasRow: true })] }, { rows: [done] }).deliveries).toEqual([]);
  });

  it('does not count an attempt whose row was deleted', () => {
    const { deliveries, endpoint } = decide({ ended: [ended(fresh(1), OK, { hasRow: true })] });
    expect(deliveries).toEqual([]);
    expect(endpoint).toEqual(SAMPLE_ENDPOINT);
  });

  it('does not advance the watermark for an attempt that has a row', () => {
    const row = fresh(9);
    const { watermark } = decide(
      { ended: [ended(row, OK, { hasRow: true })] },
      { rows: [row], watermark: 2 },
    );
    expect(watermark).toBe(2);
  });

  it('does not add a second row for a waiting event', () => {
    const { deliveries, passed } = decide({
      ended: [ended(fresh(4), OK)],
      unfinished: [{ delivery: fresh(3), hasRow: true }],
    });
    expect([deliveries, passed]).toEqual([[], []]);
  });

  it('counts an attempt once when its delivery was cancelled in flight', () => {
    const row = { ...fresh(1), attempts: 9 };
    const cancelled = { ...row, state: 'cancelled', dueAt: null } as const;
    const report = (outcome: AttemptOutcome) => ({ ended: [ended(row, outcome, { hasRow: true })] });
    const delivered = decide(report(OK), { rows: [cancelled] });
    expect(delivered.deliveries).toMatchObject([{ state: 'delivered', attempts: 10 }]);
    const failed = decide(report(ERROR), { rows: [cancelled] });
    expect(failed.deliveries).toMatchObject([{ state: 'cancelled', attempts: 10, dueAt: null }]);
    expect(failed.endpoint.health.consecutiveFailures).toBe(1);
    expect(failed.alerts).toEqual([]);
    expect(decide(report(ERROR), { rows: failed.deliveries }).deliveries).toEqual([]);
  });

  it('advances only over events that are done or have a row, in any order', () => {
    const result = fc.constantFrom(OK, ERROR, 'unfinished' as const);
    fc.assert(
      fc.property(fc.array(fc.record({ result, order: fc.nat(20) }), { maxLength: 20 }), (drawn) => {
        const all = drawn.map((each, index) => ({ ...each, delivery: fresh(index + 1) }));
        const { watermark, deliveries } = decide({
          ended: all
            .toSorted((a, b) => a.order - b.order)
            .flatMap(({ delivery, result }) => (result === 'unfinished' ? [] : [ended(delivery, result)])),
          unfinished: all
            .filter(({ result }) => result === 'unfinished')
            .map(({ delivery }) => ({ delivery, hasRow: false })),
        });
        const rows = new Set<EventId>(deliveries.map(({ eventId }) => eventId));
        for (const { delivery, result } of all) {
          const isDone = result !== 'unfinished' && isSuccess(result);
          const isPassed = delivery.eventAt <= watermark;
          expect(isPassed && !isDone).toBe(rows.has(delivery.eventId));
        }
      }),
    );
  });
});
