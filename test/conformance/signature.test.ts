import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createEvent } from '../../packages/core/src/domain/event.js';
import {
  createSigner,
  createSigningSecret,
  signatureHeaders,
} from '../../packages/core/src/domain/signature.js';
import { signWebhook, verifyWebhook } from '../../packages/webhook-verifier/src/index.js';

const secrets = fc.uint8Array({ minLength: 32, maxLength: 32 }).map(createSigningSecret);
const instants = fc.integer({ min: 0, max: 4_102_444_800_000 });
const titles = fc.string({ unit: 'grapheme', maxLength: 100, size: 'max' });
const bodies = fc.string({ unit: 'grapheme' });

test('what the service signs, the partner verifies and reads, whatever the title says', async () => {
  await fc.assert(
    fc.asyncProperty(secrets, instants, titles, async (secret, at, title) => {
      const fact = { type: 'job.opened', jobId: 'job_1', companyId: 'co_1', title } as const;
      const event = createEvent('evt_1', 'key_1', at, fact);
      const headers = signatureHeaders([createSigner(secret)], at, event.body);
      const result = await verifyWebhook({ body: Buffer.from(event.body), headers, secret, now: at });
      expect(result).toMatchObject({ ok: true, event: { id: 'evt_1', type: 'job.opened', data: { title } } });
    }),
  );
});

test('the three events of the service are events that the partner knows', async () => {
  const facts = [
    {
      type: 'application.status_changed',
      application: { id: 'ej_app_1', sourceApplicationId: null, jobId: 'job_1', stage: 'hired' },
      oldStatus: 'in_progress',
      newStatus: 'accepted',
    },
    { type: 'job.opened', jobId: 'job_1', companyId: 'co_1', title: 'Cook' },
    { type: 'job.closed', jobId: 'job_1', companyId: 'co_1', reason: 'internal_sourcing_only' },
  ] as const;
  for (const fact of facts) {
    const { body } = createEvent('evt_1', 'key_1', 1_750_000_000_000, fact);
    const headers = signatureHeaders([createSigner('whsec_a')], 1_750_000_000_000, body);
    const result = await verifyWebhook({ body, headers, secret: 'whsec_a', now: 1_750_000_000_000 });
    expect(result, fact.type).toMatchObject({ ok: true, event: { type: fact.type } });
  }
});

test('both sign with the same headers, also while two secrets sign', async () => {
  await fc.assert(
    fc.asyncProperty(secrets, secrets, instants, bodies, async (current, old, at, body) => {
      const service = signatureHeaders([current, old].map(createSigner), at, body);
      const timestamp = Math.floor(at / 1000);
      expect(await signWebhook({ body: Buffer.from(body), secret: [current, old], timestamp })).toEqual(
        service,
      );
    }),
  );
});

test('during a rotation a partner that knows either secret verifies', async () => {
  const at = 1_750_000_000_000;
  const { body } = createEvent('evt_1', 'key_1', at, {
    type: 'job.closed',
    jobId: 'job_1',
    companyId: 'co_1',
    reason: 'closed_by_customer',
  });
  const headers = signatureHeaders(['whsec_new', 'whsec_old'].map(createSigner), at, body);
  for (const secret of ['whsec_new', 'whsec_old']) {
    expect(await verifyWebhook({ body, headers, secret, now: at })).toMatchObject({ ok: true });
  }
});
