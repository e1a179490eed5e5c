/** Contract: 12.4 to 12.7, the ten attempts. */

import { perTest } from '@partner-hiring/test-support/per-test';
import { answered } from '@partner-hiring/test-support/transport';
import { describe, expect, it } from 'vitest';
import { FRESH_HEALTH } from '../../../packages/core/src/domain/endpoint.js';
import { DAY_MS, MINUTE_MS } from '../../../packages/core/src/domain/time.js';
import { openStage } from './stage.js';

const stage = perTest(openStage, ({ close }) => close());

describe('a failing delivery', () => {
  it('is done after a later success', async () => {
    const worker = stage.worker();
    const { keyId, first: event } = await stage.keyWithEvents();
    stage.transport.answerWith(() => answered(500));
    await worker.drain();
    stage.transport.answerWith(() => answered(299));
    await stage.clock.advance(MINUTE_MS);
    await worker.drain();
    expect(await stage.delivery(keyId, event?.id ?? 'evt_')).toMatchObject({
      state: 'delivered',
      attempts: 2,
    });
    expect((await stage.endpoint(keyId)).health).toEqual({
      ...FRESH_HEALTH,
      lastSuccessAt: stage.clock.now(),
    });
    await stage.clock.advance(DAY_MS);
    await worker.drain();
    expect(stage.sent()).toHaveLength(2);
  });

  it('does not delay later events', async () => {
    const worker = stage.worker();
    const { events } = await stage.keyWithEvents(5);
    stage.transport.answerWith(({ body }) => answered(body.includes(events[0]?.id ?? '') ? 500 : 200));
    await worker.drain();
    expect(stage.sent()).toEqual(events.map(({ id }) => id));
  });
});
