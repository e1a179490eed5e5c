/** A worker whose clock is set back: it puts nothing off for longer than that, and for no more than an interval of its own. */

import { answered } from '@partner-hiring/test-support/transport';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { HOUR_MS, MINUTE_MS } from '../../../packages/core/src/domain/time.js';
import { hang, openStage, SETTLE_MS, type Stage, until } from './stage.js';

/** How often a lane looks by itself. */
const POLL_MS = 1_000;

let stage: Stage;
beforeEach(async () => {
  stage = await openStage();
});
afterEach(() => stage.close());

/** Below, at and beyond what is planned ahead, in milliseconds: a beat of recording, a poll, a turn, a lease. */
const SET_BACK = [1, 60, SETTLE_MS, 940, POLL_MS, 1_001, 20_000, HOUR_MS];

describe.each(SET_BACK)('a clock that is set back by %i ms', (backMs) => {
  const lateMs = (intervalMs: number) => intervalMs + Math.min(backMs, intervalMs);

  it('keeps an event waiting that another process recorded for no more than a second poll', async () => {
    const keyId = await stage.key();
    const [stuck] = await stage.record(keyId);
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

  it('keeps what has ended unrecorded for no more than a second beat', async () => {
    const keyId = await stage.key();
    const [failed, stuck] = await stage.record(keyId, 2);
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

  it('keeps a lane from learning of a pause, while all it has under way hangs, for no more than a second poll', async () => {
    const keyId = await stage.key();
    await stage.record(keyId, 20);
    const hanging = hang(stage.transport);
    stage.start();
    await until(() => hanging.count() === 4);
    await stage.clock.advance(70);
    stage.clock.setBack(backMs);
    await stage.pause(keyId);
    await stage.clock.advance(lateMs(POLL_MS));
    stage.transport.answerWith(() => answered(200));
    await hanging.endWith(answered(200));
    await stage.clock.advance(SETTLE_MS);
    expect(stage.sent()).toHaveLength(4);
  });

  it('puts a retry off for as long, and no longer', async () => {
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
