/** The worker while time passes between any two reads of the clock. */

import { createFakeClock, STORY_START, settle } from '@partner-hiring/test-support/clock';
import { answered } from '@partner-hiring/test-support/transport';
import { afterEach, describe, expect, it } from 'vitest';
import type { KeyId } from '../../../packages/core/src/domain/ids.js';
import { MAX_ATTEMPTS } from '../../../packages/core/src/domain/retry-schedule.js';
import { DAY_MS, HOUR_MS, SECOND_MS } from '../../../packages/core/src/domain/time.js';
import { hang, openStage, type Stage, until } from './stage.js';
import { submitWithResume } from './submission.js';

let stage: Stage;
afterEach(() => stage.close());

/** Several times what these tests need. */
const MAX_READS = 50_000;
const SELDOM = { pollEveryMs: HOUR_MS, sweepEveryMs: DAY_MS };

/** Milliseconds that pass with each read, repeated. */
const PACES: readonly (readonly [string, readonly number[]])[] = [
  ['1 ms', [1]],
  ['up to 50 ms', [0, 17, 1, 50, 3, 0, 42, 8, 29, 0, 5]],
];

async function open(paces: readonly number[]): Promise<void> {
  let reads = 0;
  const stepMs = () => paces[reads++ % paces.length] ?? 0;
  stage = await openStage(createFakeClock(STORY_START, { stepMs, maxLooks: MAX_READS }));
}

async function keys(count: number): Promise<readonly KeyId[]> {
  const made: KeyId[] = [];
  while (made.length < count) made.push(await stage.key({ url: `https://ats.example.org/${made.length}` }));
  return made;
}

/** Counts the most concurrent attempts, in total and per endpoint. */
function watchFlight() {
  const inFlight: string[] = [];
  const most = { ofAll: 0, ofOne: 0 };
  stage.transport.answerWith(async ({ url }) => {
    inFlight.push(url);
    most.ofAll = Math.max(most.ofAll, inFlight.length);
    most.ofOne = Math.max(most.ofOne, inFlight.filter((other) => other === url).length);
    await settle(2);
    inFlight.splice(inFlight.indexOf(url), 1);
    return answered(200);
  });
  return most;
}

const sentOnce = () => new Set(stage.sent()).size;

describe.each(PACES)('a worker whose clock moves by %s per read', (_pace, paces) => {
  it('respects both concurrency limits, and stops', async () => {
    await open(paces);
    for (const keyId of await keys(5)) await stage.record(keyId, 30);
    const most = watchFlight();
    const options = { maxInFlight: 3, maxInFlightPerEndpoint: 2, turnMs: 400, settleEveryMs: 10 };
    const worker = stage.start({ options });
    for (let round = 0; round < 300 && sentOnce() < 150; round += 1) await stage.clock.advance(20);
    await worker.stop();
    expect([sentOnce(), stage.sent().length]).toEqual([150, 150]);
    expect(most).toEqual({ ofAll: 3, ofOne: 2 });
    expect(stage.errors).toEqual([]);
  });

  // Six days have thousands of polls, and PostgreSQL needs half a minute for them.
  it('makes ten attempts for events that always fail', async () => {
    await open(paces);
    const [keyId] = (await keys(1)) as [KeyId];
    const events = await stage.record(keyId, 6);
    stage.transport.answerWith(() => answered(500));
    const worker = stage.start({ options: SELDOM });
    for (let hour = 0; hour < 6 * 24; hour += 6) {
      await stage.clock.advance(6 * HOUR_MS);
      await stage.resume(keyId);
    }
    await worker.stop();
    expect(stage.sent()).toHaveLength(6 * MAX_ATTEMPTS);
    for (const { id } of events) {
      expect(await stage.delivery(keyId, id)).toMatchObject({ state: 'dead', attempts: MAX_ATTEMPTS });
    }
    expect(stage.errors).toEqual([]);
  }, 120_000);

  it('sends every event once despite pauses', async () => {
    await open(paces);
    const [keyId] = (await keys(1)) as [KeyId];
    const most = watchFlight();
    const worker = stage.start({ options: { readBatch: 4 } });
    for (let round = 0; round < 12; round += 1) {
      await stage.record(keyId, 10);
      worker.wake(new Set([keyId]));
      await settle(round % 4);
      await stage.pause(keyId);
      await stage.clock.advance(round % 3 === 0 ? 10 : SECOND_MS);
      await stage.resume(keyId);
      worker.wake();
    }
    for (let second = 0; second < 30; second += 1) await stage.clock.advance(SECOND_MS);
    await worker.stop();
    expect([sentOnce(), stage.sent().length]).toEqual([120, 120]);
    expect(most.ofOne).toBeLessThanOrEqual(4);
    expect(stage.errors).toEqual([]);
  });

  it('keeps its lease while attempts hang', async () => {
    await open(paces);
    const [keyId] = (await keys(1)) as [KeyId];
    await stage.record(keyId, 8);
    const hanging = hang(stage.transport);
    const workers = [stage.start(), stage.start()];
    await until(() => hanging.count() === 4);
    for (let held = 0; held < 120; held += 10) await stage.clock.advance(10 * SECOND_MS);
    expect(stage.sent()).toHaveLength(4);
    await hanging.endAll();
    await stage.clock.advance(2 * SECOND_MS);
    await Promise.all(workers.map((worker) => worker.stop()));
    expect([sentOnce(), stage.sent().length]).toEqual([8, 8]);
    expect(stage.errors).toEqual([]);
  });

  it('fetches a résumé in three rounds', async () => {
    await open(paces);
    let fetches = 0;
    stage.downloadWith(() => {
      fetches += 1;
      return { kind: 'failed', reason: 'connection_failed', retryable: true };
    });
    const id = await submitWithResume(stage);
    const worker = stage.start({ options: SELDOM });
    for (let hour = 0; hour < 12; hour += 1) await stage.clock.advance(HOUR_MS);
    await worker.stop();
    const [application] = await stage.storage.direct.applications.find([id]);
    expect([fetches, application?.resume.kind]).toEqual([3, 'failed']);
    expect(stage.errors).toEqual([]);
  });

  it('drains, and deletes events after a month', async () => {
    await open(paces);
    const [keyId] = (await keys(1)) as [KeyId];
    const [first] = await stage.record(keyId, 600);
    const worker = stage.worker();
    await worker.drain();
    expect([sentOnce(), stage.sent().length]).toEqual([600, 600]);
    await stage.clock.advance(31 * DAY_MS);
    await worker.drain();
    const id = first?.id ?? 'evt_none';
    expect(await stage.storage.direct.events.find(keyId, [id])).toEqual([null]);
    expect(stage.errors).toEqual([]);
  });
});

describe('a worker whose polls take longer than the interval', () => {
  it('ends an idle sender', async () => {
    await open([10]);
    const [keyId] = (await keys(1)) as [KeyId];
    await stage.record(keyId, 20);
    await stage.worker({ options: { pollEveryMs: 50 } }).drain();
    expect(sentOnce()).toBe(20);
    expect(stage.errors).toEqual([]);
  });
});
