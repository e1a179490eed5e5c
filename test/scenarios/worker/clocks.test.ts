/** Workers with different clocks use the storage's clock for due work. */

import { skewClock } from '@partner-hiring/test-support/clock';
import { perTest } from '@partner-hiring/test-support/per-test';
import { answered } from '@partner-hiring/test-support/transport';
import { describe, expect, it } from 'vitest';
import { createSystemRuntime } from '../../../packages/core/src/defaults/system-runtime.js';
import { RESUME_DELAYS_MS } from '../../../packages/core/src/domain/resume.js';
import { delayBeforeNext } from '../../../packages/core/src/domain/retry-schedule.js';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../../packages/core/src/domain/time.js';
import type { Worker } from '../../../packages/core/src/worker/worker.js';
import { verifyWebhook } from '../../../packages/webhook-verifier/src/index.js';
import { openStage } from './stage.js';
import { resumeOf, submitWithResume } from './submission.js';

const APART_MS = 10 * MINUTE_MS;
const OFF_MS = [-APART_MS, APART_MS, -DAY_MS, DAY_MS];

const stage = perTest(openStage, ({ close }) => close());

function workerAhead(ms: number): Worker {
  return stage.worker({ runtime: { ...stage.runtime, clock: skewClock(stage.clock, ms) } });
}

/** Drains two workers ten minutes apart, in alternating order. */
function workersApart(): () => Promise<void> {
  const workers = [workerAhead(-APART_MS / 2), workerAhead(APART_MS / 2)];
  return async () => {
    for (const worker of workers) await worker.drain();
    workers.reverse();
  };
}

describe('two workers whose clocks are ten minutes apart', () => {
  it.each([0, 0.5, 0.99])('retry on time, with a jitter of %d', async (jitter) => {
    const drain = workersApart();
    const keyId = await stage.key();
    stage.transport.answerWith(() => answered(500));
    stage.setJitter(jitter);
    await stage.record(keyId);
    await drain();
    for (const made of [1, 2, 3, 4, 5]) {
      expect(stage.sent()).toHaveLength(made);
      await stage.clock.advance((delayBeforeNext(made, jitter) ?? 0) - 1);
      await drain();
      expect(stage.sent(), `the attempt after ${made} comes early`).toHaveLength(made);
      await stage.clock.advance(1);
      await drain();
      expect(stage.sent(), `the attempt after ${made} comes late`).toHaveLength(made + 1);
    }
  });

  it('fetch résumés on time', async () => {
    const drain = workersApart();
    const id = await submitWithResume(stage);
    let rounds = 0;
    stage.downloadWith(() => {
      rounds += 1;
      return { kind: 'failed', reason: 'timed_out', retryable: true };
    });
    await drain();
    for (const [made, delay] of RESUME_DELAYS_MS.slice(1).entries()) {
      await stage.clock.advance(delay - 1);
      await drain();
      expect(rounds).toBe(made + 1);
      await stage.clock.advance(1);
      await drain();
      expect(rounds).toBe(made + 2);
    }
    expect(await resumeOf(stage, id)).toMatchObject({ kind: 'failed', failedAt: stage.clock.now() });
  });

  it('pause an endpoint after exactly 24 hours of failures', async () => {
    const [behind, ahead] = [workerAhead(-APART_MS), workerAhead(APART_MS)];
    const keyId = await stage.key();
    stage.transport.answerWith(() => answered(500));
    await stage.record(keyId);
    await behind.drain();
    await stage.clock.advance(DAY_MS - 1);
    await ahead.drain();
    expect((await stage.endpoint(keyId)).state).toEqual({ kind: 'active' });
    await stage.clock.advance(1);
    await stage.record(keyId);
    await behind.drain();
    expect((await stage.endpoint(keyId)).state).toEqual({
      kind: 'paused',
      reason: 'no_success',
      pausedAt: stage.clock.now(),
    });
    const pauses = stage.alerts.filter(({ kind }) => kind !== 'endpoint_failing');
    expect(pauses).toMatchObject([{ kind: 'endpoint_paused', at: stage.clock.now() }]);
  });
});

describe.each(OFF_MS)('a worker whose clock is off by %i ms', (aheadMs) => {
  it('signs with a timestamp that the partner accepts', async () => {
    const secret = 'whsec_current';
    const keyId = await stage.key({
      secrets: [{ sealed: `sealed:${secret}`, createdAt: 0, expiresAt: null }],
    });
    const worker = workerAhead(aheadMs);
    for (const passedMs of [0, 700, HOUR_MS]) {
      await stage.clock.advance(passedMs);
      await stage.record(keyId);
      await worker.drain();
      const sent = stage.transport.attempts.at(-1);
      const signedAt = Number(sent?.headers['X-Partner-Timestamp']) * SECOND_MS;
      expect(Math.abs(signedAt - stage.clock.now())).toBeLessThan(SECOND_MS);
      const headers = { ...sent?.headers };
      const verified = await verifyWebhook({
        body: sent?.body ?? '',
        headers,
        secret,
        now: stage.clock.now(),
      });
      expect(verified.ok).toBe(true);
    }
    expect(stage.sent()).toHaveLength(3);
  });

  it('signs with a replaced secret until its overlap ends', async () => {
    const until = stage.clock.now() + HOUR_MS;
    const keyId = await stage.key({
      secrets: [
        { sealed: 'sealed:new', createdAt: 0, expiresAt: null },
        { sealed: 'sealed:old', createdAt: 0, expiresAt: until },
      ],
    });
    const worker = workerAhead(aheadMs);
    const signatures = async () => {
      await stage.record(keyId);
      await worker.drain();
      return stage.transport.attempts.at(-1)?.headers['X-Partner-Signature']?.match(/v1=/g)?.length;
    };
    await stage.clock.advance(HOUR_MS - 1);
    expect(await signatures()).toBe(2);
    await stage.clock.advance(1);
    expect(await signatures()).toBe(1);
  });

  it('records the end of attempts on the storage’s clock and the latency on its own', async () => {
    const { keyId, first: event } = await stage.keyWithEvents();
    stage.transport.answerWith(async () => {
      await stage.clock.advance(300);
      return answered(500);
    });
    await workerAhead(aheadMs).drain();
    expect(await stage.delivery(keyId, event?.id ?? 'evt_')).toMatchObject({
      lastAttemptAt: stage.clock.now(),
      lastLatencyMs: 300,
      dueAt: stage.clock.now() + MINUTE_MS,
    });
    expect((await stage.endpoint(keyId)).health.firstFailureAt).toBe(stage.clock.now());
  });

  it('records `fetchedAt` on the storage’s clock', async () => {
    const id = await submitWithResume(stage);
    await workerAhead(aheadMs).drain();
    expect(await resumeOf(stage, id)).toMatchObject({ kind: 'fetched', fetchedAt: stage.clock.now() });
  });

  it('keeps delivered events for exactly 30 days on the storage’s clock', async () => {
    const { keyId, first: event } = await stage.keyWithEvents();
    const worker = workerAhead(aheadMs);
    await worker.drain();
    const isKept = async () => {
      const [found] = await stage.storage.direct.events.find(keyId, [event?.id ?? 'evt_']);
      return found !== null;
    };
    await stage.clock.advance(30 * DAY_MS);
    await worker.drain();
    expect(await isKept()).toBe(true);
    await stage.clock.advance(MINUTE_MS);
    await worker.drain();
    expect(await isKept()).toBe(false);
  });
});

it('a worker whose clock is corrected while it runs continues on the storage’s clock', async () => {
  const system = createSystemRuntime();
  let aheadMs = DAY_MS;
  const clock = { now: () => stage.clock.now() + aheadMs, sleep: stage.clock.sleep };
  const keyId = await stage.key();
  stage.transport.answerWith(() => answered(500));
  stage.setJitter(0.5);
  const worker = stage.worker({ runtime: { ...system, clock, random: stage.runtime.random } });
  await stage.record(keyId);
  await worker.drain();
  aheadMs = 0;
  await stage.clock.advance(MINUTE_MS - 1);
  await worker.drain();
  expect(stage.sent()).toHaveLength(1);
  await stage.clock.advance(1);
  await worker.drain();
  expect(stage.sent()).toHaveLength(2);
});
