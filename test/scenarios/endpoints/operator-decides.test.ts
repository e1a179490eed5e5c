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
      await operator.endpoints.restoreUrl({ keyId });
      expect((await ask('/test')).json).toMatchObject({ delivered: true });
      expect(await stateOf()).toEqual(held);
    },
  );
});
