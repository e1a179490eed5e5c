import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { type CertifyOptions, certify } from '@partner-hiring/certify';
import { verifyWebhook } from '@partner-hiring/webhook-verifier';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createEvent, type EventFact } from '../../packages/core/src/domain/event.js';
import type { EventId } from '../../packages/core/src/domain/ids.js';
import { RIGHT, SECRET, startReceiver } from './receiver.js';

interface Sent {
  readonly url: string;
  readonly init: RequestInit;
  readonly body: string;
}

/** A receiver in this process that records requests. */
function receiver(answer: (sent: Sent) => Response | Promise<Response>) {
  const sent: Sent[] = [];
  const options: CertifyOptions = {
    url: 'https://ats.example.com/hooks',
    secret: SECRET,
    slowBodyMs: 8,
    fetch: async (url, init) => {
      const one = { url, init, body: await new Response(init.body ?? null).text() };
      sent.push(one);
      return answer(one);
    },
  };
  return { sent, options };
}

async function verified({ init, body }: Sent): Promise<Response> {
  const result = await verifyWebhook({ body, headers: new Headers(init.headers), secret: SECRET });
  return new Response(null, { status: result.ok ? 204 : 400 });
}

/** The content of a sample. */
function factOf(type: string, data: Readonly<Record<string, unknown>>): EventFact {
  if (type !== 'application.status_changed') return { type, ...data } as EventFact;
  const { applicationId, currentStage, oldStatus, newStatus, ...application } = data;
  const stage = currentStage === 'Hired' ? 'hired' : 'closed';
  return {
    type,
    oldStatus,
    newStatus,
    application: { ...application, id: applicationId, stage },
  } as EventFact;
}

describe('a delivery of certify', () => {
  test('has the exact bytes that the service would send', async () => {
    const { sent, options } = receiver(verified);
    await certify(options);
    for (const { body } of sent.slice(0, 6)) {
      const { id, type, createdAt, data } = JSON.parse(body);
      const event = createEvent(id as EventId, 'key_1', Date.parse(createdAt), factOf(type, data));
      expect(body).toBe(event.body);
    }
  });

  test('is a POST of JSON to the URL that does not follow redirects', async () => {
    const { sent, options } = receiver(verified);
    await certify(options);
    expect(new Set(sent.map(({ url }) => url))).toEqual(new Set(['https://ats.example.com/hooks']));
    for (const { init } of sent) {
      expect(init).toMatchObject({ method: 'POST', redirect: 'manual' });
      const headers = new Headers(init.headers);
      expect(headers.get('content-type')).toBe('application/json');
    }
  });

  test('has a new event id, except for the repeated event', async () => {
    const { sent, options } = receiver(verified);
    await certify(options);
    const ids = sent.map(({ body }) => JSON.parse(body).id);
    expect(ids.length - new Set(ids).size).toBe(1);
    expect(ids.filter((id) => !/^evt_[0-9a-z]{26}$/.test(id))).toEqual([]);
  });
});

describe('options', () => {
  test.each([
    ['ats.example.com/hooks', 'absolute'],
    ['http://ats.example.com/hooks', 'https'],
    ['http://127.0.0.1.example.com/', 'https'],
    ['ftp://localhost/', 'https'],
    ['https://user@ats.example.com/', 'user or password'],
    ['https://:word@ats.example.com/', 'user or password'],
  ])('rejects the URL %s', async (url, says) => {
    const { sent, options } = receiver(verified);
    await expect(certify({ ...options, url })).rejects.toMatchObject({
      code: 'INVALID_OPTIONS',
      message: expect.stringContaining(says),
    });
    expect(sent).toEqual([]);
  });

  test.each(['http://localhost:1/', 'http://127.0.0.2/', 'http://[::1]:1/', 'http://hooks.localhost/'])(
    '%s is one of this machine',
    async (url) => {
      const { options } = receiver(verified);
      expect(await certify({ ...options, url })).toMatchObject({ passed: true });
    },
  );

  test.each([
    { secret: '' },
    { secret: [] },
    { secret: 'two words' },
    { secret: `"${SECRET}"` },
    { secret: `${SECRET}\n` },
    { oldSecret: [''] },
    { oldSecret: SECRET },
    { timeoutMs: 0 },
    { timeoutMs: Number.NaN },
    { slowBodyMs: -1 },
  ])('rejects %j before anything is sent', async (wrong) => {
    const { sent, options } = receiver(verified);
    await expect(certify({ ...options, ...wrong })).rejects.toMatchObject({ code: 'INVALID_OPTIONS' });
    expect(sent).toEqual([]);
  });
});

test('rejects with a fix when no receiver listens', async () => {
  const gone = createServer().listen(0, '127.0.0.1');
  await once(gone, 'listening');
  const { port } = gone.address() as AddressInfo;
  await new Promise((resolve) => gone.close(resolve));
  const options = { url: `http://127.0.0.1:${port}/hooks`, secret: SECRET };
  await expect(certify(options)).rejects.toMatchObject({
    code: 'RECEIVER_UNREACHABLE',
    message: expect.stringContaining('Start the receiver'),
  });
});

test('rejects when connecting times out, even with a short timeout', async () => {
  const port = await takeNoConnections();
  const options = { url: `http://127.0.0.1:${port}/hooks`, secret: SECRET, timeoutMs: 400 };
  await expect(certify(options)).rejects.toMatchObject({
    code: 'RECEIVER_UNREACHABLE',
    message: expect.stringContaining('Connecting timed out. Check for a firewall.'),
  });
});

/** A port with a full backlog: connecting to it hangs, like behind a firewall. */
async function takeNoConnections(): Promise<number> {
  const sleeper = new Worker(
    `const { parentPort } = require('node:worker_threads');
    const server = require('node:net').createServer().listen({ port: 0, host: '127.0.0.1', backlog: 1 }, () => {
      parentPort.postMessage(server.address().port);
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
    });`,
    { eval: true },
  );
  const [port] = (await once(sleeper, 'message')) as [number];
  const queue = Array.from({ length: 8 }, () => connect(port, '127.0.0.1').on('error', () => {}));
  onTestFinished(async () => {
    for (const socket of queue) socket.destroy();
    await sleeper.terminate();
  });
  await once(queue[0] ?? sleeper, 'connect');
  return port;
}

test.each([
  ['DEPTH_ZERO_SELF_SIGNED_CERT', 'The certificate of the receiver is not trusted'],
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'The certificate of the receiver is not trusted'],
  ['CERT_HAS_EXPIRED', 'The certificate of the receiver has expired'],
  ['HPE_INVALID_CONSTANT', 'The port does not use HTTP.'],
  ['HPE_HEADER_OVERFLOW', 'The response has more than 16 KiB of headers.'],
  ['ECONNRESET', 'The connection closed before a response'],
])('reports the error %s with its code, without the query: %s', async (code, says) => {
  const { options } = receiver(() => Promise.reject(Object.assign(new Error('Failed.'), { code })));
  const url = 'https://ats.example.com/hooks?token=hidden';
  const message = `No receiver responds at https://ats.example.com/hooks?… (${code}). ${says}`;
  await expect(certify({ ...options, url })).rejects.toThrow(message);
});

test('tells a receiver without TLS from one that closes connections', async () => {
  const url = new URL(await startReceiver(RIGHT));
  url.protocol = 'https:';
  await expect(certify({ url, secret: SECRET })).rejects.toMatchObject({
    code: 'RECEIVER_UNREACHABLE',
    message: expect.stringContaining('The port does not use TLS.'),
  });
});

describe('a receiver in this process', () => {
  test.each([
    ['never answers', () => new Promise<Response>(() => {})],
    ['answers after the time-out', () => sleep(200, new Response(null, { status: 204 }))],
  ])('that %s is too late, even if it ignores the signal', async (_what, answer) => {
    const { options } = receiver(answer);
    const report = await certify({ ...options, timeoutMs: 50 });
    expect(report.findings.map(({ code }) => code)).toEqual(['answers_too_late']);
  });

  test('that fails with its own timeout has failed, and is not too late', async () => {
    const { options } = receiver(async (sent) => {
      if (JSON.parse(sent.body).type === 'job.closed') throw new DOMException('The pool.', 'TimeoutError');
      return verified(sent);
    });
    const report = await certify(options);
    expect(report.findings.map(({ code }) => code)).toEqual(['refuses_event_type']);
  });
});

describe('hides secrets in', () => {
  const bare = SECRET.replace('whsec_', '');
  test.each([
    ['not where its prefix is taken off', `No match with ${bare}`, 'No match with (secret)'],
    ['not in part, where the body is cut', `${' '.repeat(1_000)}${SECRET}`, '(secret)'],
    ['not in part, where its prefix is taken off', `${' '.repeat(1_000)}${bare}`, '(secret)'],
  ])('%s', async (_what, body, excerpt) => {
    const { options } = receiver(() => new Response(body, { status: 400 }));
    const { checks } = await certify(options);
    expect(checks[0]?.answers).toMatchObject([{ excerpt }]);
  });

  test('the error of a receiver in this process, and shows one line of it', async () => {
    const { options } = receiver(async (sent) => {
      if (JSON.parse(sent.body).type === 'job.closed') throw new Error(`No match\n\u001b[2J with ${SECRET}.`);
      return verified(sent);
    });
    const { checks } = await certify(options);
    const closed = checks.find(({ name }) => name === 'job_closed');
    expect(closed?.answers).toMatchObject([{ code: 'No match  [2J with (secret).' }]);
  });
});

test('calls onCheck after each check, in the order of the report', async () => {
  const { options } = receiver(verified);
  const told: string[] = [];
  const { checks } = await certify({ ...options, onCheck: ({ name }) => told.push(name) });
  expect(told).toEqual(checks.map(({ name }) => name));
  expect(new Set(told).size).toBe(told.length);
});
