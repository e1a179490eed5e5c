/** Test deliveries. */

import { answered, UNREACHABLE } from '@partner-hiring/test-support/transport';
import { verifyWebhook } from '@partner-hiring/webhook-verifier';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { EVENT_TYPES } from '../../../packages/core/src/domain/event.js';
import { type DeliveryStage, openDeliveryStage } from './deliveries-stage.js';

let stage: DeliveryStage;
beforeEach(async () => {
  stage = await openDeliveryStage();
});
afterEach(() => stage.close());

/** The data fields of each type. Contract: 10.3 to 10.5. */
const DATA_FIELDS = {
  'application.status_changed': [
    'applicationId',
    'currentStage',
    'jobId',
    'newStatus',
    'occurredAt',
    'oldStatus',
    'sourceApplicationId',
  ],
  'job.opened': ['companyId', 'jobId', 'openedAt', 'title'],
  'job.closed': ['closedAt', 'companyId', 'jobId', 'reason'],
} as const;

describe('a test delivery', () => {
  it.each(EVENT_TYPES)('of %s is a signed event with ids that do not exist', async (type) => {
    const { operator, keyId, partner, clock } = stage;
    const outcome = await operator.endpoints.test({ keyId, type });
    expect(outcome).toMatchObject({ isSuccess: true, outcome: answered(200), latencyMs: 0 });
    const sent = stage.transport.attempts.at(-1);
    if (sent === undefined) throw new Error('Nothing was sent.');
    const secret = partner.signingSecret ?? '';
    const verified = await verifyWebhook({ ...sent, secret, now: clock.now() });
    if (!verified.ok) throw new Error('The signature is invalid.');
    expect(verified.event).toMatchObject({ id: outcome.event.id, type, apiVersion: 'v1' });
    expect(Object.keys(verified.event.data).toSorted()).toEqual(DATA_FIELDS[type]);
    const data = JSON.stringify(verified.event.data);
    const [applicationId] = /ej_app_[^"]+/.exec(data) ?? [];
    const [jobId = 'none'] = /job_[^"]+/.exec(data) ?? [];
    if (applicationId !== undefined) {
      expect((await partner.get(`/applications/${applicationId}`)).status).toBe(404);
    }
    expect(await operator.jobs.find({ id: jobId as `job_${string}` })).toBeNull();
    expect(await operator.deliveries.find({ keyId, eventId: outcome.event.id })).toBeNull();
  });

  it('is sent while paused, and changes neither health nor log', async () => {
    const { operator, keyId } = stage;
    await operator.endpoints.pause({ keyId });
    const [waiting] = await stage.record(1);
    const before = await operator.endpoints.find({ keyId });
    const list = await operator.deliveries.list({ keyId });
    stage.transport.answerWith(() => ({ kind: 'answered', status: 503, excerpt: 'not yet' }));
    expect(await operator.endpoints.test({ keyId })).toMatchObject({
      isSuccess: false,
      outcome: { kind: 'answered', status: 503, excerpt: 'not yet' },
    });
    stage.transport.answerWith(() => UNREACHABLE);
    expect(await operator.endpoints.test({ keyId })).toMatchObject({
      isSuccess: false,
      outcome: UNREACHABLE,
    });
    // Not even a 410 counts.
    stage.transport.answerWith(() => answered(410));
    await operator.endpoints.test({ keyId });
    await stage.drain();
    expect(await operator.endpoints.find({ keyId })).toEqual(before);
    expect(await operator.deliveries.list({ keyId })).toEqual(list);
    expect(stage.alerts).toEqual([]);
    expect(stage.sent().filter((id) => id === waiting)).toEqual([]);
  });

  it('reports the latency', async () => {
    const { operator, keyId, clock } = stage;
    stage.transport.answerWith(async () => {
      await clock.advance(1_234);
      return answered(204);
    });
    expect(await operator.endpoints.test({ keyId })).toMatchObject({
      latencyMs: 1_234,
      endedAt: clock.now(),
      isSuccess: true,
    });
  });

  it('is signed with both secrets during a rotation', async () => {
    const { operator, keyId, partner, clock } = stage;
    const { signingSecret } = await operator.endpoints.rotateSecret({ keyId });
    await operator.endpoints.test({ keyId });
    const sent = stage.transport.attempts.at(-1) ?? { headers: {}, body: '' };
    for (const secret of [signingSecret, partner.signingSecret ?? '']) {
      expect((await verifyWebhook({ ...sent, secret, now: clock.now() })).ok).toBe(true);
    }
  });

  it('requires an endpoint, a documented type, and secrets that can be decrypted', async () => {
    const { operator, keyId } = stage;
    await expect(operator.endpoints.test({ keyId: 'key_none' })).rejects.toMatchObject({
      code: 'ENDPOINT_NOT_FOUND',
    });
    await expect(operator.endpoints.test({ keyId, type: 'ping' as never })).rejects.toMatchObject({
      code: 'INVALID_INPUT',
    });
    await stage.close();
    stage = await openDeliveryStage({
      secretBox: {
        seal: (secret) => secret,
        open: () => {
          throw new Error('It was sealed with another key.');
        },
      },
    });
    const before = stage.transport.attempts.length;
    await expect(stage.operator.endpoints.test({ keyId: stage.keyId })).rejects.toMatchObject({
      code: 'MISCONFIGURED',
    });
    expect(stage.transport.attempts).toHaveLength(before);
  });
});
