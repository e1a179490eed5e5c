/** Contract: 12.9 to 12.12, automatic pauses, 410, resuming. */

import { settle } from '@partner-hiring/test-support/clock';
import { perTest } from '@partner-hiring/test-support/per-test';
import { answered, UNREACHABLE } from '@partner-hiring/test-support/transport';
import { describe, expect, it } from 'vitest';
import { FRESH_HEALTH, PAUSE_AFTER_FAILURES } from '../../../packages/core/src/domain/endpoint.js';
import { MINUTE_MS, SECOND_MS } from '../../../packages/core/src/domain/time.js';
import { NetworkUnavailable } from '../../../packages/core/src/errors.js';
import { hang, openStage, until } from './stage.js';

const POLL_MS = 1_000;

const stage = perTest(openStage, ({ close }) => close());

/** The alerts without the warnings that precede a pause. */
const pauses = () => stage.alerts.filter(({ kind }) => kind !== 'endpoint_failing');

describe('an endpoint', () => {
  it('is sent to slowly after five unrecorded failures', async () => {
    const { keyId } = await stage.keyWithEvents(80);
    stage.transport.answerWith(() => UNREACHABLE);
    await stage.worker({ options: { readBatch: 16, settleEveryMs: MINUTE_MS } }).drain();
    expect((await stage.endpoint(keyId)).health.gap).toMatchObject({ isPaced: false });
    expect(stage.sent().length).toBeLessThanOrEqual(8);
  });

  it('is stored as paused at once, while other attempts hang', async () => {
    const { keyId } = await stage.keyWithEvents(4);
    const hanging = hang(stage.transport);
    stage.start();
    await until(() => hanging.count() === 4);
    await hanging.endWith(answered(410), 1);
    await settle(20);
    expect((await stage.endpoint(keyId)).state).toMatchObject({ reason: 'gone' });
    await hanging.endWith(answered(200));
  });

  it('does not pause while the network is unavailable, and then gets all events', async () => {
    const { keyId, events } = await stage.keyWithEvents(80);
    stage.transport.answerWith(() => {
      throw new NetworkUnavailable('No file descriptor is left.');
    });
    stage.start();
    await until(() => stage.sent().length > 0);
    for (let minutes = 0; minutes < 8; minutes += 1) await stage.clock.advance(MINUTE_MS);
    expect(stage.sent().length).toBeGreaterThan(2 * PAUSE_AFTER_FAILURES);
    expect(await stage.endpoint(keyId)).toMatchObject({ state: { kind: 'active' }, health: FRESH_HEALTH });
    expect(pauses()).toEqual([]);
    for (const { id } of events) expect(await stage.delivery(keyId, id)).toBeNull();

    const before = stage.sent().length;
    stage.transport.answerWith(() => answered(200));
    for (let seconds = 0; seconds < 30; seconds += 1) await stage.clock.advance(SECOND_MS);
    expect(stage.sent().slice(before).toSorted()).toEqual(events.map(({ id }) => id).toSorted());
  });

  it('does not pause on answers of a former URL', async () => {
    const { keyId, events } = await stage.keyWithEvents(4);
    const hanging = hang(stage.transport);
    stage.start();
    await until(() => hanging.count() === 4);
    await hanging.endWith(answered(410), 1);
    await stage.clock.advance(POLL_MS);
    expect((await stage.endpoint(keyId)).state).toMatchObject({ reason: 'gone' });

    await stage.change(keyId, (endpoint) => ({ ...endpoint, url: 'https://new.example.org/webhooks' }));
    await stage.resume(keyId);
    const fresh = { ...FRESH_HEALTH, reportedAt: expect.any(Number) };
    await hanging.endWith(answered(410), 1);
    await stage.clock.advance(POLL_MS);
    expect(await stage.endpoint(keyId)).toMatchObject({ state: { kind: 'active' }, health: fresh });
    await hanging.endWith(answered(410));
    await stage.clock.advance(POLL_MS);
    expect(await stage.endpoint(keyId)).toMatchObject({ state: { kind: 'active' }, health: fresh });
    expect(pauses()).toHaveLength(1);
    const rows = await Promise.all(events.map(({ id }) => stage.delivery(keyId, id)));
    expect(rows.map((row) => row?.attempts)).toEqual([1, 1, 1, 1]);

    stage.transport.answerWith(() => answered(200));
    await stage.clock.advance(2 * MINUTE_MS);
    expect(stage.sent()).toHaveLength(8);
  });

  it('does not pause after 49 failures and a success', async () => {
    const { keyId } = await stage.keyWithEvents(50);
    let count = 0;
    stage.transport.answerWith(() => {
      count += 1;
      return answered(count % 50 === 0 ? 200 : 500);
    });
    await stage.worker().drain();
    expect((await stage.endpoint(keyId)).state).toEqual({ kind: 'active' });
  });
});

it('sends to a new URL after the next poll while all attempts hang', async () => {
  const { keyId } = await stage.keyWithEvents(8);
  const hanging = hang(stage.transport);
  const drained = stage.worker().drain();
  await until(() => hanging.count() === 4);
  const url = 'https://new.example.org/webhooks';
  await stage.change(keyId, (endpoint) => ({ ...endpoint, url }));
  await stage.clock.advance(POLL_MS);
  await hanging.endAll();
  await drained;
  expect(stage.transport.attempts.slice(4).map((attempt) => attempt.url)).toEqual([url, url, url, url]);
});
