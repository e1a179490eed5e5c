import { fingerprintOf } from '@partner-hiring/test-support/client/fake-partner-api';
import { createHandlerUnderTest } from '@partner-hiring/test-support/servers/handler';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { createFetchHandler } from './fetch-handler.js';

const URL_OF = (path: string) => `https://api.example.org/api/v1/external${path}`;
const UUID = '9c6f3f0e-6c0e-4f5a-9d53-0a4b8f2f7a10';
const HEADERS = { 'content-type': 'application/json', 'idempotency-key': UUID };

/** A submission with this body. */
function post(body: RequestInit['body'] = null, more: RequestInit = {}): Request {
  const init = { method: 'POST', headers: HEADERS, duplex: 'half', ...more } as const;
  return new Request(URL_OF('/applications'), { ...init, body: body ?? null });
}

function createUnderTest(maxBodyBytes = 100) {
  const { handler, asked, logged } = createHandlerUnderTest({}, { maxBodyBytes });
  return { fetch: createFetchHandler(handler), handler, asked, logged };
}

describe('Request to Response', () => {
  it('copies status, headers and body from the handler’s reply', async () => {
    const { fetch } = createUnderTest();
    const response = await fetch(new Request(URL_OF('/applications/ej_app_1')));
    expect(response.status).toBe(200);
    expect(response.headers.get('x-ratelimit-limit')).toBe('60');
    expect(response.headers.get('x-request-id')).toBe('request-1');
    expect(await response.json()).toMatchObject({ id: 'ej_app_1' });
  });

  it('passes on the raw query without the fragment', async () => {
    const { fetch, asked } = createUnderTest();
    await fetch(new Request(`${URL_OF('/jobs?updated_since=2026-01-05T10:00:00+01:00')}#x`));
    expect(asked.queries[0]?.updatedSince).toBe(Date.parse('2026-01-05T09:00:00Z'));
  });

  it('sends for HEAD the headers of GET without a body', async () => {
    const { fetch } = createUnderTest();
    const response = await fetch(new Request(URL_OF('/jobs'), { method: 'HEAD' }));
    expect(Number(response.headers.get('content-length'))).toBeGreaterThan(0);
    expect(await response.text()).toBe('');
  });

  it('passes on the exact bytes of the body', async () => {
    const { fetch, asked } = createUnderTest();
    const body = new Uint8Array([0, 255, 10, 13]);
    await fetch(post(body));
    expect(asked.submissions[0]?.fingerprint).toBe(fingerprintOf(body));
  });

  it('reads a request without a body as an empty body', async () => {
    const { fetch, asked } = createUnderTest();
    await fetch(post());
    expect(asked.submissions[0]?.fingerprint).toBe(fingerprintOf(''));
  });

  it('accepts a stream as long as the limit', async () => {
    const { fetch, asked } = createUnderTest(120);
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => {
        for (const _ of [1, 2]) controller.enqueue(new Uint8Array(60));
        controller.close();
      },
    });
    await fetch(post(body));
    expect(asked.submissions[0]?.fingerprint).toBe(fingerprintOf(new Uint8Array(120)));
  });

  function pieces(count: number, bytes: number) {
    const told = { pulls: 0, isCancelled: false };
    const body = new ReadableStream<Uint8Array>({
      pull: (controller) => {
        if (told.pulls === count) return controller.close();
        told.pulls += 1;
        controller.enqueue(new Uint8Array(bytes));
      },
      cancel: () => {
        told.isCancelled = true;
      },
    });
    return { told, body };
  }

  it.each([
    ['announced', { 'content-length': '1200' }],
    ['not announced', {}],
  ])(
    'sends a readable 413 for a body over the limit, %s, because it discards the rest',
    async (_, length) => {
      const { fetch } = createUnderTest();
      const { told, body } = pieces(20, 60);
      const headers = { ...HEADERS, ...length };
      expect((await fetch(post(body, { headers }))).status).toBe(413);
      await vi.waitFor(() => expect(told.pulls).toBe(20), 60_000);
      expect(told.isCancelled).toBe(false);
    },
  );

  it('an endless stream: sends 413, and cancels the body after 4 MiB', async () => {
    const { fetch } = createUnderTest();
    const { told, body } = pieces(Number.POSITIVE_INFINITY, 2 ** 20);
    expect((await fetch(post(body))).status).toBe(413);
    await vi.waitFor(() => expect(told.isCancelled).toBe(true), 60_000);
    expect(told.pulls).toBeLessThan(8);
  });

  it('sends 413 for a stalled stream, and cancels the body after five seconds', async () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const { fetch } = createUnderTest();
    const cancel = vi.fn();
    const start = (controller: ReadableStreamDefaultController<Uint8Array>) =>
      controller.enqueue(new Uint8Array(120));
    const body = new ReadableStream<Uint8Array>({ start, cancel });
    expect((await fetch(post(body))).status).toBe(413);
    await vi.advanceTimersByTimeAsync(4_900);
    expect(cancel).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(200);
    expect(cancel).toHaveBeenCalledOnce();
  });

  it('does not submit a stream that breaks', async () => {
    const { fetch, asked } = createUnderTest();
    const body = new ReadableStream<Uint8Array>({
      pull: (controller) => controller.error(new Error('gone')),
    });
    const response = await fetch(post(body));
    expect(response.status).toBe(422);
    expect(asked.submissions).toEqual([]);
  });

  function stalled() {
    const cancel = vi.fn();
    const body = new ReadableStream<Uint8Array>({ start: (it) => it.enqueue(new Uint8Array(9)), cancel });
    return { cancel, body };
  }

  it('ends a request whose signal aborts, even if its body does not end', async () => {
    const { fetch, asked } = createUnderTest();
    const { cancel, body } = stalled();
    const client = new AbortController();
    const answered = fetch(post(body, { signal: client.signal }));
    await vi.waitFor(() => expect(asked.admissions).toHaveLength(1), 60_000);
    client.abort();
    expect((await answered).status).toBe(422);
    expect(cancel).toHaveBeenCalledOnce();
    expect(asked.submissions).toEqual([]);
  });

  it('ends a request whose signal was aborted before', async () => {
    const { fetch, asked } = createUnderTest();
    const { cancel, body } = stalled();
    const signal = AbortSignal.abort();
    expect((await fetch(post(body, { signal }))).status).toBe(422);
    expect(cancel).toHaveBeenCalledOnce();
    expect(asked.submissions).toEqual([]);
  });

  it('ignores a signal that aborts after the body, and removes its listener', async () => {
    const { fetch, asked } = createUnderTest();
    const client = new AbortController();
    const request = post('{}', { signal: client.signal });
    const listened = vi.spyOn(request.signal, 'addEventListener');
    const unlistened = vi.spyOn(request.signal, 'removeEventListener');
    await fetch(request);
    expect(asked.submissions).toHaveLength(1);
    expect(unlistened.mock.calls.map(([type, listener]) => [type, listener])).toEqual(
      listened.mock.calls.map(([type, listener]) => [type, listener]),
    );
    expect(listened).toHaveBeenCalledOnce();
  });

  it('cancels a body that has not arrived after 30 seconds, and submits nothing', async () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const { fetch, asked } = createUnderTest();
    const { cancel, body } = stalled();
    const answered = fetch(post(body));
    await vi.advanceTimersByTimeAsync(29_000);
    expect(cancel).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1_000);
    const reply = await answered;
    expect([reply.status, reply.headers.get('retry-after')]).toEqual([503, '5']);
    expect(cancel).toHaveBeenCalledOnce();
    expect(asked.submissions).toEqual([]);
    expect(asked.guarded).toHaveLength(1);
  });

  it('leaves no timer after a body has arrived', async () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const { fetch, asked } = createUnderTest();
    await fetch(post('{}'));
    expect(asked.submissions).toHaveLength(1);
    expect(vi.getTimerCount()).toBe(0);
  });

  it.each<[string, (request: Request) => Promise<unknown>]>([
    ['read', (request) => request.text()],
    ['started to read', async (request) => request.body?.getReader()],
    [
      'read by hand',
      async (request) => {
        const reader = request.body?.getReader();
        await reader?.read();
        reader?.releaseLock();
      },
    ],
  ])('a body that a middleware has %s: sends 500, and logs the fix', async (_, use) => {
    const { fetch, asked, logged } = createUnderTest();
    const request = post('{}');
    await use(request);
    expect((await fetch(request)).status).toBe(500);
    expect(asked.submissions).toEqual([]);
    expect(logged).toMatchObject([
      {
        fields: { err: { name: 'OperatorError', message: expect.stringContaining('Pass the raw request') } },
      },
    ]);
  });

  it('sends 500 for a body that a middleware made text, and logs the fix', async () => {
    const { fetch, asked, logged } = createUnderTest();
    const body = ReadableStream.from(['{}']) as never;
    expect((await fetch(post(body))).status).toBe(500);
    expect(asked.submissions).toEqual([]);
    expect(logged).toMatchObject([{ fields: { err: { message: expect.stringContaining('made text') } } }]);
  });

  it('two Authorization fields arrive joined, which is not a bearer token', async () => {
    const { fetch, asked } = createUnderTest();
    const headers = new Headers();
    headers.append('authorization', 'Bearer a');
    headers.append('authorization', 'Bearer b');
    await fetch(new Request(URL_OF('/jobs'), { headers }));
    expect(asked.admissions[0]?.authorization).toEqual(['Bearer a, Bearer b']);
  });

  it("uses the host's client address, or one address for all callers", async () => {
    const { handler, asked, fetch } = createUnderTest();
    const named = createFetchHandler(handler, {
      clientAddress: (request) => request.headers.get('x-real-ip') ?? '',
    });
    await named(new Request(URL_OF('/jobs'), { headers: { 'x-real-ip': '203.0.113.9' } }));
    await fetch(new Request(URL_OF('/jobs')));
    expect(asked.admissions.map((call) => call.clientAddress)).toEqual(['203.0.113.9', 'unknown']);
  });
});
