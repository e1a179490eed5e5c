/** Spec: Events, delivery, retries, pausing: auto-pause, 410, resuming. */

import { settle } from '@partner-hiring/test-support/clock';
import { answered, UNREACHABLE } from '@partner-hiring/test-support/transport';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FRESH_HEALTH, PAUSE_AFTER_FAILURES } from '../../../packages/core/src/domain/endpoint.js';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../../packages/core/src/domain/time.js';
import { NetworkUnavailable } from '../../../packages/core/src/errors.js';
import { hang, openStage, type Stage, until } from './stage.js';

/** How often a lane looks by itself. */
const POLL_MS = 1_000;

let stage: Stage;
beforeEach(async () => {
  stage = await openStage();
});
afterEach(() => stage.close());

describe('an endpoint', () => {
  it('is paused after 50 consecutive failures, with one alert; nothing more is sent or counted', async () => {
    const keyId = await stage.key();
    const events = await stage.record(keyId, 80);
    stage.transport.answerWith(() => UNREACHABLE);
    const worker = stage.worker();
    await worker.drain();

    expect((await stage.endpoint(keyId)).state).toMatchObject({
      kind: 'paused',
      reason: 'consecutive_failures',
    });
    expect(stage.alerts).toMatchObject([{ kind: 'endpoint_paused', keyId, reason: 'consecutive_failures' }]);
    // What was under way when the fiftieth failed may still end: never more than the cap, less that one.
    expect(stage.sent().length).toBeGreaterThanOrEqual(50);
    expect(stage.sent().length).toBeLessThanOrEqual(53);

    const sent = stage.sent().length;
    await stage.clock.advance(7 * DAY_MS);
    await worker.drain();
    expect(stage.sent()).toHaveLength(sent);
    const rows = await Promise.all(events.map(({ id }) => stage.delivery(keyId, id)));
    expect(rows.filter((row) => row !== null && row.attempts > 1)).toEqual([]);
    expect(stage.alerts).toHaveLength(1);
  });

  it('is paused after 50 failures of which none is recorded yet, however often its lane reads on', async () => {
    const keyId = await stage.key();
    await stage.record(keyId, 80);
    stage.transport.answerWith(() => UNREACHABLE);
    await stage.worker({ options: { readBatch: 16, settleEveryMs: MINUTE_MS } }).drain();
    expect((await stage.endpoint(keyId)).state).toMatchObject({ reason: 'consecutive_failures' });
    expect(stage.sent().length).toBeLessThanOrEqual(53);
  });

  it('is stored as paused with the answer that pauses it, before the next beat, while other attempts hang', async () => {
    const keyId = await stage.key();
    await stage.record(keyId, 4);
    const hanging = hang(stage.transport);
    stage.start();
    await until(() => hanging.count() === 4);
    await hanging.endWith(answered(410), 1);
    await settle(20);
    expect((await stage.endpoint(keyId)).state).toMatchObject({ reason: 'gone' });
    await hanging.endWith(answered(200));
  });

  it('is not paused while this machine can send nothing: no attempt is counted, and all is sent once it can', async () => {
    const keyId = await stage.key();
    const events = await stage.record(keyId, 80);
    stage.transport.answerWith(() => {
      throw new NetworkUnavailable('No file descriptor is left.');
    });
    stage.start();
    await until(() => stage.sent().length > 0);
    for (let minutes = 0; minutes < 8; minutes += 1) await stage.clock.advance(MINUTE_MS);
    // Far more than as failures would pause it.
    expect(stage.sent().length).toBeGreaterThan(2 * PAUSE_AFTER_FAILURES);
    expect(await stage.endpoint(keyId)).toMatchObject({ state: { kind: 'active' }, health: FRESH_HEALTH });
    expect(stage.alerts).toEqual([]);
    for (const { id } of events) expect(await stage.delivery(keyId, id)).toBeNull();

    const before = stage.sent().length;
    stage.transport.answerWith(() => answered(200));
    for (let seconds = 0; seconds < 30; seconds += 1) await stage.clock.advance(SECOND_MS);
    expect(stage.sent().slice(before).toSorted()).toEqual(events.map(({ id }) => id).toSorted());
  });

  it('is not paused by what its former URL answers, before or after a resume', async () => {
    const keyId = await stage.key();
    const events = await stage.record(keyId, 4);
    const hanging = hang(stage.transport);
    stage.start();
    await until(() => hanging.count() === 4);
    await hanging.endWith(answered(410), 1);
    await stage.clock.advance(POLL_MS);
    expect((await stage.endpoint(keyId)).state).toMatchObject({ reason: 'gone' });

    await stage.change(keyId, (endpoint) => ({ ...endpoint, url: 'https://new.example.org/webhooks' }));
    await stage.resume(keyId);
    await hanging.endWith(answered(410), 1);
    await stage.clock.advance(POLL_MS);
    expect(await stage.endpoint(keyId)).toMatchObject({ state: { kind: 'active' }, health: FRESH_HEALTH });
    // Known to the lane by now.
    await hanging.endWith(answered(410));
    await stage.clock.advance(POLL_MS);
    expect(await stage.endpoint(keyId)).toMatchObject({ state: { kind: 'active' }, health: FRESH_HEALTH });
    expect(stage.alerts).toHaveLength(1);
    const rows = await Promise.all(events.map(({ id }) => stage.delivery(keyId, id)));
    expect(rows.map((row) => row?.attempts)).toEqual([1, 1, 1, 1]);

    stage.transport.answerWith(() => answered(200));
    await stage.clock.advance(2 * MINUTE_MS);
    expect(stage.sent()).toHaveLength(8);
  });

  it('is not paused by 49 failures and a success', async () => {
    const keyId = await stage.key();
    await stage.record(keyId, 50);
    let count = 0;
    stage.transport.answerWith(() => {
      count += 1;
      return answered(count % 50 === 0 ? 200 : 500);
    });
    await stage.worker().drain();
    expect((await stage.endpoint(keyId)).state).toEqual({ kind: 'active' });
  });

  it('is paused by a failure 24 hours after the first one since the last success', async () => {
    const keyId = await stage.key();
    const worker = stage.worker();
    stage.transport.answerWith(() => answered(500));
    await stage.record(keyId);
    await worker.drain();
    await stage.clock.advance(DAY_MS - HOUR_MS);
    await worker.drain();
    expect((await stage.endpoint(keyId)).state).toEqual({ kind: 'active' });
    await stage.clock.advance(HOUR_MS);
    await worker.drain();
    expect((await stage.endpoint(keyId)).state).toMatchObject({ kind: 'paused', reason: 'no_success' });
    expect(stage.alerts).toMatchObject([{ kind: 'endpoint_paused', reason: 'no_success' }]);
  });

  it('is never paused for being idle', async () => {
    const keyId = await stage.key();
    const worker = stage.worker();
    await stage.clock.advance(30 * DAY_MS);
    await worker.drain();
    stage.transport.answerWith(() => answered(500));
    await stage.record(keyId);
    await worker.drain();
    expect((await stage.endpoint(keyId)).state).toEqual({ kind: 'active' });
    expect(stage.alerts).toEqual([]);
  });

  it('is paused at once by a 410, with one alert', async () => {
    const keyId = await stage.key();
    const [event] = await stage.record(keyId);
    stage.transport.answerWith(() => answered(410));
    await stage.worker().drain();
    expect((await stage.endpoint(keyId)).state).toMatchObject({ kind: 'paused', reason: 'gone' });
    expect(stage.alerts).toMatchObject([{ kind: 'endpoint_paused', keyId, reason: 'gone' }]);
    expect(await stage.delivery(keyId, event?.id ?? 'evt_')).toMatchObject({ state: 'pending', attempts: 1 });
  });
});

it('a lane whose attempts all hang learns of another URL with its next poll', async () => {
  const keyId = await stage.key();
  await stage.record(keyId, 8);
  const hanging = hang(stage.transport);
  const drained = stage.worker().drain();
  await until(() => hanging.count() === 4);
  const url = 'https://new.example.org/webhooks';
  await stage.change(keyId, (endpoint) => ({ ...endpoint, url }));
  await stage.clock.advance(POLL_MS);
  stage.transport.answerWith(() => answered(200));
  await hanging.endWith(answered(200));
  await drained;
  expect(stage.transport.attempts.slice(4).map((attempt) => attempt.url)).toEqual([url, url, url, url]);
});
