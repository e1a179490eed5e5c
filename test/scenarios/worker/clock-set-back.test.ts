/** A worker whose clock is set back delays work by at most one interval. */

import { perTest } from '@partner-hiring/test-support/per-test';
import { answered } from '@partner-hiring/test-support/transport';
import { describe, expect, it } from 'vitest';
import { HOUR_MS, MINUTE_MS } from '../../../packages/core/src/domain/time.js';
import { hang, openStage, SETTLE_MS, until } from './stage.js';

const POLL_MS = 1_000;

const stage = perTest(openStage, ({ close }) => close());

/** Below, at and above the worker's intervals, in milliseconds. */
const SET_BACK = [1, 60, SETTLE_MS, 940, POLL_MS, 1_001, 20_000, HOUR_MS];

describe.each(SET_BACK)('a worker whose clock is set back by %i ms', (backMs) => {
  const lateMs = (intervalMs: number) => intervalMs + Math.min(backMs, intervalMs);

  it('sends an event of another process after at most one more interval', async () => {
    const { keyId, first: stuck } = await stage.keyWithEvents();
    const hanging = hang(stage.transport, (id) => id === stuck?.id);
    stage.start();
    await until(() => hanging.count() === 1);
    await stage.clock.advance(70);
    stage.clock.setBack(backMs);
    const [event] = await stage.record(keyId);
    await stage.clock.advance(lateMs(POLL_MS));
    expect(stage.sent()).toContain(event?.id);
    await hanging.endWith(answered(200));
  });

  it('records ended attempts after at most one more interval', async () => {
    const { keyId, first: failed, second: stuck } = await stage.keyWithEvents(2);
    const hanging = hang(stage.transport);
    stage.start();
    await until(() => hanging.count() === 2);
    await stage.clock.advance(70);
    await hanging.endWith(answered(500), 1);
    stage.clock.setBack(backMs);
    await stage.clock.advance(lateMs(SETTLE_MS));
    const rows = await Promise.all(
      [failed, stuck].map((event) => stage.delivery(keyId, event?.id ?? 'evt_')),
    );
    expect(rows.map((row) => row?.attempts)).toContain(1);
    await hanging.endWith(answered(200));
  });

  it('notices a pause after at most one more interval while all attempts hang', async () => {
    const { keyId } = await stage.keyWithEvents(20);
    const hanging = hang(stage.transport);
    stage.start();
    await until(() => hanging.count() === 4);
    await stage.clock.advance(70);
    stage.clock.setBack(backMs);
    await stage.pause(keyId);
    await stage.clock.advance(lateMs(POLL_MS));
    await hanging.endAll();
    await stage.clock.advance(SETTLE_MS);
    expect(stage.sent()).toHaveLength(4);
  });

  it('delays a retry by the same time', async () => {
    const keyId = await stage.key();
    stage.transport.answerWith(() => answered(500));
    stage.setJitter(0.5);
    await stage.record(keyId);
    const worker = stage.worker();
    await worker.drain();
    stage.clock.setBack(backMs);
    await stage.clock.advance(MINUTE_MS + backMs - 1);
    await worker.drain();
    expect(stage.sent()).toHaveLength(1);
    await stage.clock.advance(1);
    await worker.drain();
    expect(stage.sent()).toHaveLength(2);
  });
});
