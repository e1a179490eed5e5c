/** What the operator has decided about an endpoint, its partner does not undo. */
import { type AttemptOutcome, type EndpointState, SELF_SERVICE_PRESET } from '@partner-hiring/core';
import { fieldErrors } from '@partner-hiring/test-support/partner';
import { perTest } from '@partner-hiring/test-support/per-test';
import { answered } from '@partner-hiring/test-support/transport';
import { describe, expect, it } from 'vitest';
import { openDeliveryStage } from '../operator/deliveries-stage.js';

const stage = perTest(
  () => openDeliveryStage({ selfService: { ...SELF_SERVICE_PRESET, url: true } }),
  (opened) => opened.close(),
);

function ask(path: string, body: unknown = {}, method: 'POST' | 'PUT' = 'POST') {
  const headers = { 'content-type': 'application/json' };
  return stage.partner.request(method, `/webhook-endpoint${path}`, { body: JSON.stringify(body), headers });
}

const answerWith = (answer: AttemptOutcome) => stage.transport.answerWith(() => answer);

describe('the operator’s pause', () => {
  const stateOf = async (): Promise<EndpointState | undefined> =>
    (await stage.operator.endpoints.find({ keyId: stage.keyId }))?.state;

  it.each([
    ['partner', () => ask('/pause')],
    [
      'gone',
      async () => {
        answerWith(answered(410));
        await stage.record(1);
        await stage.drain();
      },
    ],
  ] as const)(
    'of an endpoint that is paused already (%s) is not ended by its partner',
    async (first, pause) => {
      const { operator, keyId } = stage;
      await pause();
      expect(await stateOf()).toMatchObject({ kind: 'paused', reason: first });
      await operator.endpoints.pause({ keyId });
      const held = await stateOf();
      expect(held).toMatchObject({ kind: 'paused', reason: 'operator' });
      await stage.clock.advance(1_000);
      expect((await ask('/pause')).json).toMatchObject({ state: 'paused', pausedReason: 'operator' });
      for (const body of [{}, { retryNow: true }])
        expect(fieldErrors(await ask('/resume', body))).toEqual([': paused_by_operator']);
      answerWith(answered(200));
      expect((await ask('', { url: 'https://new.example/hooks' }, 'PUT')).status).toBe(200);
      await operator.endpoints.setUrl({ keyId, restore: true });
      expect((await ask('/test')).json).toMatchObject({ delivered: true });
      expect(await stateOf()).toEqual(held);
    },
  );
});

describe('a delivery that the operator cancelled', () => {
  /** An instant after the events of the stage. */
  async function startOfTest(): Promise<string> {
    await stage.clock.advance(1_000);
    return new Date(stage.clock.now()).toISOString();
  }

  it('is not resent by its partner: alone, with all since an instant, or when sending resumes', async () => {
    const { operator, keyId } = stage;
    const since = await startOfTest();
    const [cancelled = 'evt_', other = 'evt_'] = await stage.record(2);
    stage.fail([cancelled]);
    await stage.drain();
    await operator.deliveries.cancel({ keyId, eventId: cancelled });
    stage.fail([]);
    const refused = await ask(`/deliveries/${cancelled}/resend`);
    expect(fieldErrors(refused)).toEqual(['eventId: invalid_value']);
    expect(refused.text).toContain('Only the operator sends it again.');
    expect((await ask('/resend', { since })).status).toBe(202);
    await ask('/pause');
    await ask('/resume', { retryNow: true });
    await stage.drain();
    expect(stage.sent().toSorted()).toEqual([cancelled, other, other].toSorted());
    const find = async () => (await operator.deliveries.find({ keyId, eventId: cancelled }))?.delivery.state;
    expect(await find()).toBe('cancelled');
    const [operation] = (await operator.operations.list()).items;
    expect(operation).toMatchObject({
      plan: { kind: 'resend' },
      state: 'done',
      counts: { done: 1 },
    });
    await operator.deliveries.resend({ keyId, since: Date.parse(since) });
    await stage.drain();
    expect(await find()).toBe('delivered');
    expect((await ask(`/deliveries/${cancelled}/resend`)).status).toBe(200);
  });

  it('is not sent by an operation of its partner that began before', async () => {
    const { operator, keyId } = stage;
    const since = await startOfTest();
    const [eventId = 'evt_'] = await stage.record(1);
    await stage.drain();
    await operator.deliveries.resend({ keyId, eventIds: [eventId] });
    await ask('/resend', { since });
    await operator.deliveries.cancel({ keyId, eventId });
    await stage.drain();
    expect(stage.sent()).toEqual([eventId]);
  });
});
