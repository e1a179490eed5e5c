/** The host is warned of endpoints that fail for long, before they are paused. */

import { passUntil } from '@partner-hiring/test-support/clock';
import { perTest } from '@partner-hiring/test-support/per-test';
import { answered, UNREACHABLE } from '@partner-hiring/test-support/transport';
import { describe, expect, it } from 'vitest';
import type { KeyId } from '../../../packages/core/src/domain/ids.js';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../packages/core/src/domain/time.js';
import { hang, openStage, until } from './stage.js';

const stage = perTest(openStage, ({ close }) => close());

/** Passes time in steps, with a new worker process in each. */
async function pass(ms: number, stepMs = 10 * MINUTE_MS): Promise<void> {
  for (let left = ms; left > 0; left -= stepMs) {
    await stage.clock.advance(Math.min(left, stepMs));
    await stage.worker().drain();
  }
}

async function failingKey(events = 1): Promise<KeyId> {
  const { keyId } = await stage.keyWithEvents(events);
  stage.transport.answerWith(() => answered(503));
  await stage.worker().drain();
  return keyId;
}

/** Passes time until the gap between attempts has ended, and makes the next one. */
async function failOnce(keyId: KeyId): Promise<void> {
  const { gap } = (await stage.endpoint(keyId)).health;
  await stage.clock.advance(Math.max(0, (gap?.until ?? 0) - stage.clock.now()));
  await stage.worker().drain();
}

/** The warnings in order, in short. */
function warnings(): readonly unknown[] {
  return stage.alerts.map((alert) => (alert.kind === 'endpoint_failing' ? alert.reason : alert.kind));
}

describe('the host is warned', () => {
  it('once after one hour, with the partner and the origin, even if no attempt was due', async () => {
    const keyId = await failingKey();
    const failingSince = stage.clock.now();
    await pass(HOUR_MS - 1);
    expect(stage.alerts).toEqual([]);
    const attempts = stage.sent().length;
    await pass(1);
    expect(stage.sent()).toHaveLength(attempts);
    expect(stage.alerts).toEqual([
      {
        id: expect.stringMatching(/^alr_/),
        kind: 'endpoint_failing',
        reason: 'one_hour',
        keyId,
        partnerId: expect.any(String),
        partnerName: 'Acme ATS',
        environment: 'production',
        origin: 'https://ats.example.org',
        failingSince,
        attempts,
        at: stage.clock.now(),
        lastFailure: { kind: 'answered', status: 503 },
      },
    ]);
    await pass(20 * HOUR_MS);
    expect(stage.alerts).toHaveLength(1);
  });

  it('once at nine tenths of the 24 hours, and then of the pause', async () => {
    await failingKey();
    await pass(DAY_MS * 0.9 - MINUTE_MS);
    expect(warnings()).toEqual(['one_hour']);
    await pass(MINUTE_MS);
    expect(warnings()).toEqual(['one_hour', 'near_pause']);
    await pass(2 * DAY_MS, HOUR_MS);
    expect(warnings()).toEqual(['one_hour', 'near_pause', 'endpoint_paused']);
    expect(stage.alerts.at(-1)).toMatchObject({ partnerName: 'Acme ATS', origin: 'https://ats.example.org' });
  });

  it('once at nine tenths of the 50 failures in a row', async () => {
    const keyId = await failingKey(60);
    while ((await stage.endpoint(keyId)).health.consecutiveFailures < 44) await failOnce(keyId);
    stage.alerts.length = 0;
    expect((await stage.endpoint(keyId)).health.consecutiveFailures).toBe(44);
    expect(warnings()).toEqual([]);
    await failOnce(keyId);
    expect(stage.alerts).toMatchObject([{ kind: 'endpoint_failing', reason: 'near_pause', attempts: 45 }]);
    await failOnce(keyId);
    expect(stage.alerts).toHaveLength(1);
  });

  it('again when it recovers and fails anew, and when it is resumed and fails anew', async () => {
    const keyId = await failingKey();
    await pass(2 * HOUR_MS);
    stage.transport.answerWith(() => answered(200));
    await pass(DAY_MS);
    expect((await stage.endpoint(keyId)).health).toMatchObject({ firstFailureAt: null, lastFailure: null });
    expect(warnings()).toEqual(['one_hour']);
    stage.transport.answerWith(() => UNREACHABLE);
    await stage.record(keyId);
    await stage.worker().drain();
    await pass(HOUR_MS);
    expect(warnings()).toEqual(['one_hour', 'one_hour']);
    expect(stage.alerts[1]).toMatchObject({
      lastFailure: { kind: 'failed', failure: 'connection_failed' },
    });
    await stage.pause(keyId);
    await stage.resume(keyId);
    await pass(3 * HOUR_MS);
    expect(warnings()).toEqual(['one_hour', 'one_hour', 'one_hour']);
  });

  it('not of an endpoint that is paused, or that recovered within the hour', async () => {
    const paused = await failingKey();
    const recovered = await failingKey();
    await stage.pause(paused);
    stage.transport.answerWith(() => answered(200));
    await pass(MINUTE_MS);
    await pass(3 * DAY_MS, HOUR_MS);
    expect(warnings()).toEqual([]);
    expect((await stage.endpoint(recovered)).health.consecutiveFailures).toBe(0);
  });

  it('of all failing endpoints, though more than one batch fail at once', async () => {
    for (let number = 0; number < 101; number += 1) await stage.record(await stage.key());
    stage.transport.answerWith(() => UNREACHABLE);
    await stage.worker().drain();
    await pass(HOUR_MS, HOUR_MS);
    expect(stage.alerts.filter((alert) => alert.kind === 'endpoint_failing')).toHaveLength(101);
  });
});

describe('a warning is sent once', () => {
  it('by two workers at the same time', async () => {
    await failingKey();
    await stage.clock.advance(DAY_MS * 0.95);
    await passUntil(stage.clock, Promise.all([stage.worker().drain(), stage.worker().drain()]));
    await stage.worker().drain();
    expect(warnings().toSorted()).toEqual(['near_pause', 'one_hour']);
  });

  it('by a worker that dies before it commits, and by its successor', async () => {
    await failingKey();
    await stage.clock.advance(HOUR_MS);
    const { direct, transaction } = stage.storage;
    const dying: typeof transaction = (work) =>
      transaction(async (tx) => {
        await work(tx);
        throw new Error('The process died.');
      });
    const storage = { direct, transaction: dying };
    await expect(stage.worker({ storage }).drain()).rejects.toThrow('The process died.');
    expect(stage.alerts).toEqual([]);
    await stage.worker().drain();
    await stage.worker().drain();
    expect(warnings()).toEqual(['one_hour']);
  });

  it('though an attempt in flight is recorded after it', async () => {
    const keyId = await failingKey();
    await stage.clock.advance(HOUR_MS - MINUTE_MS);
    const hanging = hang(stage.transport);
    stage.start();
    await until(() => hanging.count() === 1);
    stage.transport.answerWith(() => answered(500));
    await stage.clock.advance(2 * MINUTE_MS);
    await until(() => stage.alerts.length === 1);
    await hanging.endWith(answered(500));
    await stage.clock.advance(5 * MINUTE_MS);
    expect(warnings()).toEqual(['one_hour']);
    expect((await stage.endpoint(keyId)).health.failingWarnedAt).not.toBeNull();
  });
});
