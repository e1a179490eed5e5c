/** Counts of deliveries, and the health of an endpoint. */
import { perTest } from '@partner-hiring/test-support/per-test';
import { answered } from '@partner-hiring/test-support/transport';
import { describe, expect, it } from 'vitest';
import { MINUTE_MS } from '../../../packages/core/src/domain/time.js';
import { openDeliveryStage } from './deliveries-stage.js';

const stage = perTest(openDeliveryStage, ({ close }) => close());

describe('counts', () => {
  it('contain due, scheduled, paused and dead ones and their age, per endpoint and overall', async () => {
    const { operator, keyId, clock } = stage;
    const failing = await stage.record(2);
    const oldestWaitingAt = clock.now();
    stage.fail(failing);
    await stage.drain();
    await stage.record(3);
    const oldestDueAt = clock.now();
    await clock.advance(30_000);
    const counts = {
      due: 3,
      inFlight: 0,
      scheduled: 2,
      paused: 0,
      dead: 0,
      oldestDueAt,
      oldestDueMs: 30_000,
      isExact: true,
      oldestWaitingAt,
      oldestWaitingMs: 31_000,
    };
    expect(await operator.deliveries.count({ keyId })).toEqual({
      overall: counts,
      endpoints: [{ keyId, ...counts }],
    });
    await operator.endpoints.pause({ keyId });
    expect((await operator.deliveries.count()).overall).toMatchObject({
      due: 0,
      scheduled: 0,
      paused: 5,
      oldestDueAt: null,
      oldestDueMs: null,
    });
    await operator.endpoints.resume({ keyId });
    await clock.advance(2 * MINUTE_MS);
    expect((await operator.deliveries.count()).overall).toMatchObject({ due: 5, scheduled: 0 });
    expect((await operator.deliveries.count({ keyId: 'key_none' })).endpoints).toEqual([]);
  });

  it('contain those in flight while a worker sends', async () => {
    const { operator, keyId } = stage;
    await stage.record(6);
    const seen: number[] = [];
    stage.transport.answerWith(async () => {
      const { overall } = await operator.deliveries.count({ keyId });
      seen.push(overall.inFlight);
      return answered(200);
    });
    await stage.drain();
    expect(Math.max(...seen)).toBe(4);
    expect((await operator.deliveries.count({ keyId })).overall).toMatchObject({ due: 0, inFlight: 0 });
  });
});

describe('the health of an endpoint', () => {
  it('contains its state, counters and backlog', async () => {
    const { operator, keyId } = stage;
    const failing = await stage.record(7);
    stage.fail(failing, 502);
    await stage.drain();
    const report = await operator.endpoints.find({ keyId });
    expect(report).toMatchObject({
      keyId,
      state: { kind: 'active' },
      health: { consecutiveFailures: 7, lastFailure: { kind: 'answered', status: 502 } },
      counts: { due: 0, scheduled: 7, dead: 0 },
    });
    expect(JSON.stringify(report)).not.toContain('sealed');
    expect(await operator.endpoints.find({ keyId: 'key_none' })).toBeNull();
  });
});
