import { performance } from 'node:perf_hooks';
import type { ProbeRequest } from '@partner-hiring/core/probes';
import { describe, expect, test } from 'vitest';
import type { Settings } from './options.js';
import { createSender } from './sender.js';

const SECRET = 'whsec_abcdefghijklmnopqrstuvwxyz';
const DELIVERY: ProbeRequest = { body: '{"id":"evt_1"}', signature: 't=1,v1=0', timestamp: '1' };

const senderOver = (fetch: (url: string, init: RequestInit) => Promise<Response>, slowBodyMs = 0) =>
  createSender({
    url: new URL('https://ats.example.com/hooks'),
    secrets: [SECRET],
    oldSecrets: [],
    timeoutMs: 30_000,
    slowBodyMs,
    fetch,
    onCheck: () => {},
  } as Settings);

/** The error of `fetch` with this network code. */
const failed = (code: string) =>
  new TypeError('fetch failed', { cause: Object.assign(new Error('other side closed'), { code }) });

/** A sender whose requests get these statuses and errors, and its number of requests. */
function senderTo(...steps: readonly (number | string)[]) {
  let sent = 0;
  const sender = senderOver(async () => {
    const step = steps[sent] ?? 500;
    sent += 1;
    if (typeof step === 'string') throw failed(step);
    return new Response(null, { status: step });
  });
  return { send: () => sender.send(DELIVERY), sent: () => sent };
}

describe('a delivery', () => {
  test.each(['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE'])(
    'that a used connection swallows is sent again, with no word of it: %s',
    async (code) => {
      const { send, sent } = senderTo(204, code, 202);
      await send();
      expect(await send()).toMatchObject({ kind: 'answered', status: 202 });
      expect(sent()).toBe(3);
    },
  );

  test('fails without a retry when a new connection is closed', async () => {
    const { send, sent } = senderTo('UND_ERR_SOCKET', 204);
    expect(await send()).toMatchObject({ kind: 'failed', code: 'UND_ERR_SOCKET' });
    expect(sent()).toBe(1);
  });

  test('fails when its retry on a new connection is closed too', async () => {
    const { send, sent } = senderTo(204, 'ECONNRESET', 'ECONNREFUSED', 204);
    await send();
    expect(await send()).toMatchObject({ kind: 'failed', code: 'ECONNRESET' });
    expect(sent()).toBe(3);
  });

  test('is not retried after other errors on a reused connection', async () => {
    const { send, sent } = senderTo(204, 'ECONNREFUSED', 204);
    await send();
    expect(await send()).toMatchObject({ kind: 'failed', code: 'ECONNREFUSED' });
    expect(sent()).toBe(2);
  });
});

test('measures the response time from the last piece of a slow body', async () => {
  const readAt: number[] = [];
  const sender = senderOver(async (_url, { body }) => {
    for await (const _piece of body as ReadableStream<Uint8Array>) readAt.push(performance.now());
    return new Response(null, { status: 204 });
  }, 70);
  const { tookMs } = await sender.sendSlowly(DELIVERY);
  const endedAt = performance.now();
  // The last piece is sent after the previous one was read.
  expect(readAt.length).toBeGreaterThan(2);
  expect(tookMs).toBeLessThanOrEqual(endedAt - (readAt.at(-2) ?? 0));
});
