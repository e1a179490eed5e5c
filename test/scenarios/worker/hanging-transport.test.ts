/** A host's transport that never ends an attempt does not stop the deliveries. */
import { answered } from '@partner-hiring/test-support/transport';
import { expect, it } from 'vitest';
import type { AttemptOutcome } from '../../../packages/core/src/domain/delivery.js';
import { MINUTE_MS } from '../../../packages/core/src/domain/time.js';
import { openDeliveryStage } from '../operator/deliveries-stage.js';

it('the worker gives an attempt up after 5 to 8 minutes, and counts it as failed', async () => {
  let isHanging = false;
  const post = async (): Promise<AttemptOutcome> => (isHanging ? new Promise(() => {}) : answered(200));
  const stage = await openDeliveryStage({ transport: { post, close: async () => {} } });
  const { operator, partnerHiring, clock, keyId } = stage;
  const [eventId] = await stage.record(1);
  const attemptsMade = async () => (await operator.deliveries.list({ keyId, limit: 1 })).items[0]?.attempts;
  isHanging = true;
  partnerHiring.worker.start();
  await clock.advance(0);
  await clock.advance(4 * MINUTE_MS);
  expect(await attemptsMade()).toBe(0);
  await clock.advance(4 * MINUTE_MS);
  expect(await attemptsMade()).toBe(1);
  const { attempts } = (await operator.deliveries.find({ keyId, eventId: eventId ?? 'evt_none' })) ?? {};
  expect(attempts).toMatchObject([{ outcome: { kind: 'failed', failure: 'timed_out' } }]);
  isHanging = false;
  await stage.close();
});
