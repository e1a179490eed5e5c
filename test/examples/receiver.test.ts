import { signWebhook } from '@partner-hiring/webhook-verifier';
import type { FastifyInstance } from 'fastify';
import { describe, expect, test } from 'vitest';
import { describeDelivery } from '../../examples/receiver/describe-delivery.js';
import { createReceiver, type ReceivedDelivery, WEBHOOK_PATH } from '../../examples/receiver/receiver.js';
import { runProgram } from './run-program.js';

const SECRET = 'whsec_of_the_test';
const CLOSED = JSON.stringify({
  id: 'evt_1',
  type: 'job.closed',
  createdAt: '2026-01-01T00:00:00.000Z',
  apiVersion: 'v1',
  data: {
    jobId: 'job_1',
    companyId: 'co_1',
    reason: 'access_revoked',
    closedAt: '2026-01-01T00:00:00.000Z',
  },
});

function startReceiver(secrets: readonly string[] = [SECRET]) {
  const deliveries: ReceivedDelivery[] = [];
  const app = createReceiver({
    secrets: () => secrets,
    onDelivery: (delivery) => deliveries.push(delivery),
  });
  return { app, deliveries };
}

async function deliver(app: FastifyInstance, body: string, signedBody = body, secret = SECRET) {
  const signature = await signWebhook({ body: signedBody, secret });
  const headers = { ...signature, 'content-type': 'application/json' };
  return app.inject({ method: 'POST', url: WEBHOOK_PATH, headers, payload: body });
}

describe("a partner's receiver", () => {
  test('takes a signed event once and skips it when it comes again', async () => {
    const { app, deliveries } = startReceiver();
    expect((await deliver(app, CLOSED)).statusCode).toBe(204);
    expect((await deliver(app, CLOSED)).statusCode).toBe(204);
    expect(deliveries.map(({ kind }) => kind)).toEqual(['new', 'repeated']);
    expect(deliveries.map(describeDelivery)).toEqual([
      'job.closed  job_1 at co_1: access_revoked',
      'job.closed  evt_1 again, skipped',
    ]);
  });

  test('refuses a changed body with 400 and the reason', async () => {
    const { app, deliveries } = startReceiver();
    const reply = await deliver(app, CLOSED.replace('job_1', 'job_2'), CLOSED);
    expect(reply.statusCode).toBe(400);
    expect(reply.json()).toEqual({ reason: 'no_matching_signature' });
    expect(deliveries.map(({ kind }) => kind)).toEqual(['refused']);
  });

  test('takes what either secret signed while one replaces the other', async () => {
    const { app } = startReceiver(['whsec_new', SECRET]);
    expect((await deliver(app, CLOSED)).statusCode).toBe(204);
    expect((await deliver(app, CLOSED, CLOSED, 'whsec_new')).statusCode).toBe(204);
  });

  test('acknowledges a type of event that it does not know', async () => {
    const { app, deliveries } = startReceiver();
    const later = JSON.stringify({ ...JSON.parse(CLOSED), type: 'job.renamed' });
    expect((await deliver(app, later)).statusCode).toBe(204);
    expect(deliveries.map(describeDelivery)).toEqual([
      'job.renamed  evt_1, an event type that this receiver does not know',
    ]);
  });

  test('is one line of a terminal, whatever an employer calls a job', async () => {
    const { app, deliveries } = startReceiver();
    const title = 'Barista\n\u001b[2J\u009b2J\u202e';
    const data = { jobId: 'job_1', companyId: 'co_1', title, openedAt: '2026-01-01T00:00:00.000Z' };
    await deliver(app, JSON.stringify({ ...JSON.parse(CLOSED), type: 'job.opened', data }));
    expect(deliveries.map(describeDelivery).join()).toMatch(/Barista[^\p{Cc}\p{Bidi_Control}]+$/u);
  });
});

test.each(['receiver', '70000', '-1'])(
  'a receiver alone with the port "%s" names what fits',
  async (PORT) => {
    const env = { WEBHOOK_SECRET: SECRET, PORT };
    const { code, stderr } = await runProgram('receiver/main.ts', [], env);
    const fix = `PORT must be a number from 0 to 65535, 0 for any free port.`;
    expect([code, stderr.trim()]).toEqual([1, fix]);
  },
);

test.each(['', ' ', ' , '])(
  'a receiver alone without a secret ("%s") names what it needs',
  async (WEBHOOK_SECRET) => {
    const { code, stderr } = await runProgram('receiver/main.ts', [], { WEBHOOK_SECRET, PORT: '0' });
    const fix = 'Set WEBHOOK_SECRET to the signing secret of your endpoint (whsec_...).';
    expect([code, stderr.trim()]).toEqual([1, fix]);
  },
);
