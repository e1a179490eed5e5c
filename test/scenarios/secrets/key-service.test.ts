/** A secret box that asks a key service, which may be slow or down. */

import { createSecretBox, NetworkUnavailable, type SecretBox } from '@partner-hiring/core';
import { createFixture } from '@partner-hiring/test-support/fixture';
import {
  createEmployer,
  createPartner,
  type Partner,
  submission,
  WAREHOUSE_JOB,
} from '@partner-hiring/test-support/partner';
import { perTest } from '@partner-hiring/test-support/per-test';
import { createRecordingLogger } from '@partner-hiring/test-support/telemetry';
import { verifyWebhook } from '@partner-hiring/webhook-verifier';
import { expect, it } from 'vitest';
import { createHealth } from '../../../packages/core/src/process/create-health.js';

type Answer = (sealed: string, keyId: string) => Promise<void>;

async function openStage() {
  const inner = createSecretBox('0123456789abcdef'.repeat(4));
  let answer: Answer = async () => {};
  const asked: string[] = [];
  const secretBox: SecretBox = {
    seal: async (secret, context) => {
      await answer(secret, context.keyId);
      return inner.seal(secret, context);
    },
    open: async (sealed, context) => {
      asked.push(context.keyId);
      await answer(sealed, context.keyId);
      return inner.open(sealed, context);
    },
  };
  const logger = createRecordingLogger();
  const fixture = await createFixture({ secretBox, logger });
  const slow = await createPartner(fixture);
  const other = await createPartner(fixture);
  const { companyId, jobId } = await createEmployer(fixture, slow);
  await fixture.operator.access.grant({ keyId: other.keyId, companyId });
  return {
    ...fixture,
    slow,
    other,
    jobId,
    /** Which endpoint's secrets were asked for. */
    asked,
    lines: logger.lines,
    /** Sets what happens before the service answers. */
    answerWith(next: Answer) {
      answer = next;
    },
    async record() {
      await fixture.operator.jobs.publish({ ...WAREHOUSE_JOB, companyId });
    },
    async sentTo({ signingSecret }: Partner) {
      const secret = signingSecret ?? '';
      const now = fixture.clock.now();
      const results = fixture.transport.attempts.map(async ({ headers, body }) =>
        verifyWebhook({ headers, body, secret, now }),
      );
      return (await Promise.all(results)).filter(({ ok }) => ok).length;
    },
  };
}

const stage = perTest(openStage, ({ close }) => close());

const hang = () => new Promise<void>(() => {});
const only = (partner: Partner, answer: Answer): Answer => {
  return async (sealed, keyId) => (keyId === partner.keyId ? answer(sealed, keyId) : undefined);
};

it('a key service is asked once for each secret, and not for each attempt or lease', async () => {
  await stage.partnerHiring.worker.drain();
  for (let count = 0; count < 5; count += 1) {
    await stage.record();
    await stage.pass(60_000);
  }
  expect([await stage.sentTo(stage.slow), await stage.sentTo(stage.other)]).toEqual([6, 6]);
  expect(stage.asked.toSorted()).toEqual([stage.slow.keyId, stage.other.keyId].toSorted());

  const { signingSecret } = await stage.operator.endpoints.rotateSecret({ keyId: stage.slow.keyId });
  await stage.record();
  await stage.pass(60_000);
  expect(stage.asked).toHaveLength(3);
  expect(await stage.sentTo({ ...stage.slow, signingSecret })).toBe(1);
});

it('a key service that hangs for one endpoint delays only its deliveries, and loses none', async () => {
  stage.answerWith(only(stage.slow, hang));
  const { worker } = stage.partnerHiring;
  worker.start();
  for (let count = 0; count < 8; count += 1) await stage.record();
  await stage.clock.advance(3_000);
  expect([await stage.sentTo(stage.slow), await stage.sentTo(stage.other)]).toEqual([0, 9]);
  await stage.clock.advance(10_000);
  expect(stage.lines.filter(({ level }) => level === 'error')).toMatchObject([
    {
      message: expect.stringContaining('No attempt was counted'),
      fields: { keyId: stage.slow.keyId, err: { message: expect.stringMatching(/key service.*10 seconds/) } },
    },
  ]);
  const { items } = await stage.operator.deliveries.list({ keyId: stage.slow.keyId });
  expect(items.map(({ attempts }) => attempts)).toEqual(Array.from({ length: 9 }, () => 0));

  stage.answerWith(async () => {});
  await stage.clock.advance(70_000);
  expect(await stage.sentTo(stage.slow)).toBe(9);
  await worker.stop();
});

it('reads and submissions go on while the key service is down, and status, health and log say so', async () => {
  const { slow, jobId, operator, partnerHiring } = stage;
  const health = createHealth(partnerHiring);
  expect(await health.ready()).toMatchObject({ status: 200, silence: null });
  stage.answerWith(async () => {
    throw new Error('The key service answers 503.');
  });
  partnerHiring.worker.start();
  await stage.clock.advance(2_000);
  expect((await slow.get('/jobs')).status).toBe(200);
  expect((await slow.submit(submission(jobId))).status).toBe(201);
  expect((await slow.get('/applications')).json.data).toHaveLength(1);
  expect(await health.ready()).toMatchObject({
    status: 200,
    problems: [],
    silence: expect.stringContaining('Signing secrets cannot be opened'),
  });
  await stage.clock.advance(30_000);
  const { workers } = await operator.system.status();
  expect(workers).toMatchObject([
    { isAlive: true, sealing: { keyIds: null, failingSince: expect.any(Number) } },
  ]);
  await expect(operator.endpoints.test({ keyId: slow.keyId })).rejects.toThrow(NetworkUnavailable);
  stage.answerWith(async () => {});
  await stage.clock.advance(70_000);
  expect(await stage.sentTo(slow)).toBe(1);
  expect(await health.ready()).toMatchObject({ silence: null });
  await stage.clock.advance(30_000);
  expect((await operator.system.status()).workers).toMatchObject([{ sealing: { failingSince: null } }]);
  await partnerHiring.worker.stop();
});

it('acts that need a new signing secret change nothing while the key service hangs, and hold no transaction', async () => {
  const { operator, slow, partnerHiring } = stage;
  const keyId = slow.keyId;
  const before = await operator.endpoints.find({ keyId });
  stage.answerWith(hang);
  const { id: partnerId } = await operator.partners.create({ name: 'Late' });
  const endpointUrl = 'https://late.example.org/webhooks';
  const acts = [
    operator.endpoints.rotateSecret({ keyId }),
    operator.keys.issue({ partnerId, environment: 'production', endpointUrl }),
    operator.partners.create({ name: 'Later', keys: [{ environment: 'production', endpointUrl }] }),
  ].map((act) => expect(act).rejects.toThrow(/key service failed: `secretBox.seal` did not answer/));
  // Nothing is locked meanwhile, not even the only connection of SQLite.
  await stage.record();
  await operator.endpoints.setUrl({ keyId, url: 'https://other.example.org/webhooks' });
  expect((await slow.get('/jobs')).status).toBe(200);
  await stage.clock.advance(10_000);
  await Promise.all(acts);
  expect((await operator.endpoints.find({ keyId }))?.signingSecretId).toBe(before?.signingSecretId);
  expect((await operator.keys.list({ partnerId })).items).toEqual([]);
  expect((await operator.partners.list()).items.map(({ name }) => name)).not.toContain('Later');
  stage.answerWith(async () => {});
  const issued = await operator.keys.issue({ partnerId, environment: 'production', endpointUrl });
  expect(issued.endpoint?.signingSecret).toMatch(/^whsec_/);
  await partnerHiring.worker.drain();
});
