import { fingerprintOf } from '@partner-hiring/test-support/client/fake-partner-api';
import { createHandlerUnderTest } from '@partner-hiring/test-support/servers/handler';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { createFetchHandler } from './fetch-handler.js';

const URL_OF = (path: string) => `https://api.example.org/api/v1/external${path}`;
const UUID = '9c6f3f0e-6c0e-4f5a-9d53-0a4b8f2f7a10';
const HEADERS = { 'content-type': 'application/json', 'idempotency-key': UUID };

function createUnderTest(maxBodyBytes = 100) {
  const { handler, asked, logged } = createHandlerUnderTest({}, { maxBodyBytes });
  return { fetch: createFetchHandler(handler), handler, asked, logged };
}

describe('Request to Response', () => {
  it('status, headers and body are the reply of the handler', async () => {
    const { fetch } = createUnderTest();
    const response = await fetch(new Request(URL_OF('/applications/ej_app_1')));
    expect(response.status).toBe(200);
    expect(response.headers.get('x-ratelimit-limit')).toBe('60');
    expect(response.headers.get('x-request-id')).toBe('request-1');
    expect(await response.json()).toMatchObject({ id: 'ej_app_1' });
  });

  it('the query arrives as it was written, a fragment does not', async () => {
    const { fetch, asked } = createUnderTest();
    await fetch(new Request(`${URL_OF('/jobs?updated_since=2026-01-05T10:00:00+01:00')}#x`));
    expect(asked.queries[0]?.updatedSince).toBe(Date.parse('2026-01-05T09:00:00Z'));
  });

  it('HEAD: the headers of GET, without a body', async () => {
    const { fetch } = createUnderTest();
    const response = await fetch(new Request(URL_OF('/jobs'), { method: 'HEAD' }));
    expect(Number(response.headers.get('content-length'))).toBeGreaterThan(0);
    expect(await response.text()).toBe('');
  });

  it('the body arrives byte by byte as it was sent', async () => {
    const { fetch, asked } = createUnderTest();
    const body = new Uint8Array([0, 255, 10, 13]);
    await fetch(new Request(URL_OF('/applications'), { method: 'POST', headers: HEADERS, body }));
    expect(asked.submissions[0]?.fingerprint).toBe(fingerprintOf(body));
  });

  it('a request without a body is read as an empty one', async () => {
    const { fetch, asked } = createUnderTest();
    await fetch(new Request(URL_OF('/applications'), { method: 'POST', headers: HEADERS }));
    expect(asked.submissions[0]?.fingerprint).toBe(fingerprintOf(''));
  });

  it('a stream as long as the limit is taken', async () => {
    const { fetch, asked } = createUnderTest(120);
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => {
        for (const _ of [1, 2]) controller.enqueue(new Uint8Array(60));
        controller.close();
      },
    });
    await fetch(
      new Request(URL_OF('/applications'), { method: 'POST', headers: HEADERS, body, duplex: 'half' }),
    );
    expect(asked.submissions[0]?.fingerprint).toBe(fingerprintOf(new Uint8Array(120)));
  });

  /** A body in pieces, as a Node server hands it over: giving up on it closes the connection. */
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
    return { told, init: { method: 'POST', headers: HEADERS, body, duplex: 'half' } as const };
  }

  it.each([
    ['announced', { 'content-length': '1200' }],
    ['not announced', {}],
  ])(
    'over the limit, %s: 413, which can be read, since the rest is thrown away and not given up on',
    async (_, length) => {
      const { fetch } = createUnderTest();
      const { told, init } = pieces(20, 60);
      const headers = { ...HEADERS, ...length };
      expect((await fetch(new Request(URL_OF('/applications'), { ...init, headers }))).status).toBe(413);
      await vi.waitFor(() => expect(told.pulls).toBe(20));
      expect(told.isCancelled).toBe(false);
    },
  );

  it('a stream without an end: 413, and it is given up on after 4 MiB', async () => {
    const { fetch } = createUnderTest();
    const { told, init } = pieces(Number.POSITIVE_INFINITY, 2 ** 20);
    expect((await fetch(new Request(URL_OF('/applications'), init))).status).toBe(413);
    await vi.waitFor(() => expect(told.isCancelled).toBe(true));
    expect(told.pulls).toBeLessThan(8);
  });

  it('a stream that stands still: 413, and it is given up on after five seconds', async () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const { fetch } = createUnderTest();
    const cancel = vi.fn();
    const start = (controller: ReadableStreamDefaultController<Uint8Array>) =>
      controller.enqueue(new Uint8Array(120));
    const body = new ReadableStream<Uint8Array>({ start, cancel });
    const init = { method: 'POST', headers: HEADERS, body, duplex: 'half' } as const;
    expect((await fetch(new Request(URL_OF('/applications'), init))).status).toBe(413);
    await vi.advanceTimersByTimeAsync(4_900);
    expect(cancel).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(200);
    expect(cancel).toHaveBeenCalledOnce();
  });

  it('a stream that breaks is never submitted', async () => {
    const { fetch, asked } = createUnderTest();
    const body = new ReadableStream<Uint8Array>({
      pull: (controller) => controller.error(new Error('gone')),
    });
    const init = { method: 'POST', headers: HEADERS, body, duplex: 'half' } as const;
    const response = await fetch(new Request(URL_OF('/applications'), init));
    expect(response.status).toBe(422);
    expect(asked.submissions).toEqual([]);
  });

  /** A body of which the first bytes came, and no more; with whoever gives up on it. */
  function stalled() {
    const cancel = vi.fn();
    const body = new ReadableStream<Uint8Array>({ start: (it) => it.enqueue(new Uint8Array(9)), cancel });
    return { cancel, init: { method: 'POST', headers: HEADERS, body, duplex: 'half' } as const };
  }

  it('a request whose signal aborts is let go of, though its body neither ends nor breaks', async () => {
    const { fetch, asked } = createUnderTest();
    const { cancel, init } = stalled();
    const client = new AbortController();
    const answered = fetch(new Request(URL_OF('/applications'), { ...init, signal: client.signal }));
    await vi.waitFor(() => expect(asked.admissions).toHaveLength(1));
    client.abort();
    expect((await answered).status).toBe(422);
    expect(cancel).toHaveBeenCalledOnce();
    expect(asked.submissions).toEqual([]);
  });

  it('a request whose signal had aborted before is let go of as well', async () => {
    const { fetch, asked } = createUnderTest();
    const { cancel, init } = stalled();
    const signal = AbortSignal.abort();
    expect((await fetch(new Request(URL_OF('/applications'), { ...init, signal }))).status).toBe(422);
    expect(cancel).toHaveBeenCalledOnce();
    expect(asked.submissions).toEqual([]);
  });

  it('a signal that aborts once the body is there changes nothing, and has nobody listening', async () => {
    const { fetch, asked } = createUnderTest();
    const client = new AbortController();
    const request = new Request(URL_OF('/applications'), {
      method: 'POST',
      headers: HEADERS,
      body: '{}',
      signal: client.signal,
    });
    const listened = vi.spyOn(request.signal, 'addEventListener');
    const unlistened = vi.spyOn(request.signal, 'removeEventListener');
    await fetch(request);
    expect(asked.submissions).toHaveLength(1);
    expect(unlistened.mock.calls.map(([type, listener]) => [type, listener])).toEqual(
      listened.mock.calls.map(([type, listener]) => [type, listener]),
    );
    expect(listened).toHaveBeenCalledOnce();
  });

  it('gives up on a body that has not arrived after 30 seconds, and submits nothing', async () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const { fetch, asked } = createUnderTest();
    const { cancel, init } = stalled();
    const answered = fetch(new Request(URL_OF('/applications'), init));
    await vi.advanceTimersByTimeAsync(29_000);
    expect(cancel).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1_000);
    const reply = await answered;
    expect([reply.status, reply.headers.get('retry-after')]).toEqual([503, '5']);
    expect(cancel).toHaveBeenCalledOnce();
    expect(asked.submissions).toEqual([]);
    expect(asked.guarded).toHaveLength(1);
  });

  it('no timer is left of a body that came', async () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const { fetch, asked } = createUnderTest();
    await fetch(new Request(URL_OF('/applications'), { method: 'POST', headers: HEADERS, body: '{}' }));
    expect(asked.submissions).toHaveLength(1);
    expect(vi.getTimerCount()).toBe(0);
  });

  it.each<[string, (request: Request) => Promise<unknown>]>([
    ['read', (request) => request.text()],
    ['is reading', async (request) => request.body?.getReader()],
    [
      'read by hand',
      async (request) => {
        const reader = request.body?.getReader();
        await reader?.read();
        reader?.releaseLock();
      },
    ],
  ])('a body that something in front %s: 500, and the host is told the fix', async (_, use) => {
    const { fetch, asked, logged } = createUnderTest();
    const request = new Request(URL_OF('/applications'), { method: 'POST', headers: HEADERS, body: '{}' });
    await use(request);
    expect((await fetch(request)).status).toBe(500);
    expect(asked.submissions).toEqual([]);
    expect(logged).toMatchObject([
      { fields: { err: { name: 'OperatorError', message: expect.stringContaining('as it came') } } },
    ]);
  });

  it('a body that something in front made text: the same', async () => {
    const { fetch, asked, logged } = createUnderTest();
    const body = ReadableStream.from(['{}']) as never;
    const init = { method: 'POST', headers: HEADERS, body, duplex: 'half' } as const;
    expect((await fetch(new Request(URL_OF('/applications'), init))).status).toBe(500);
    expect(asked.submissions).toEqual([]);
    expect(logged).toMatchObject([{ fields: { err: { message: expect.stringContaining('made text') } } }]);
  });

  it('two Authorization fields arrive joined, and so as no bearer token', async () => {
    const { fetch, asked } = createUnderTest();
    const headers = new Headers();
    headers.append('authorization', 'Bearer a');
    headers.append('authorization', 'Bearer b');
    await fetch(new Request(URL_OF('/jobs'), { headers }));
    expect(asked.admissions[0]?.authorization).toEqual(['Bearer a, Bearer b']);
  });

  it("the caller's address is what the host says; without it all share one", async () => {
    const { handler, asked, fetch } = createUnderTest();
    const named = createFetchHandler(handler, {
      clientAddress: (request) => request.headers.get('x-real-ip') ?? '',
    });
    await named(new Request(URL_OF('/jobs'), { headers: { 'x-real-ip': '203.0.113.9' } }));
    await fetch(new Request(URL_OF('/jobs')));
    expect(asked.admissions.map((call) => call.clientAddress)).toEqual(['203.0.113.9', 'unknown']);
  });
});

describe('what the host gives', () => {
  it('is refused with the fix where it is not the handler', () => {
    const { handler } = createUnderTest();
    const misconfigured = expect.objectContaining({
      code: 'MISCONFIGURED',
      message: expect.stringContaining('`createFetchHandler(partnerHiring.handler)`'),
    });
    for (const given of [{ handler }, undefined]) {
      expect(() => createFetchHandler(given as never)).toThrow(misconfigured);
    }
  });

  it.each([null, 'x-real-ip', { clientAddress: 'x-real-ip' }, { clientAddress: null }])(
    'is refused with the fix where an option cannot be used: %j',
    (options) => {
      const { handler } = createUnderTest();
      expect(() => createFetchHandler(handler, options as never)).toThrow(
        expect.objectContaining({
          code: 'MISCONFIGURED',
          message: expect.stringContaining('`{ clientAddress: (request) => '),
        }),
      );
    },
  );

  it.each([
    ['nothing', undefined],
    ['null', null],
    ["Hono's context", { req: { raw: new Request(URL_OF('/jobs')) } }],
    ["Hono's own request", { method: 'GET', url: URL_OF('/jobs'), raw: new Request(URL_OF('/jobs')) }],
    ["Node's request", { method: 'GET', url: '/jobs', headers: { host: 'x' } }],
    ['a URL', new URL(URL_OF('/jobs'))],
  ])('called with %s instead of a request, it rejects with the fix', async (_, given) => {
    const { fetch, asked } = createUnderTest();
    await expect(fetch(given as never)).rejects.toMatchObject({
      code: 'MISCONFIGURED',
      message: expect.stringContaining('`(c) => partnerHiring.fetch(c.req.raw)`'),
    });
    expect(asked.admissions).toEqual([]);
  });

  it('may throw as it is asked for an address: the reply is a 500, and the log says why', async () => {
    const { handler, logged } = createUnderTest();
    const serve = createFetchHandler(handler, {
      clientAddress: () => {
        throw new Error('no connection');
      },
    });
    expect((await serve(new Request(URL_OF('/jobs')))).status).toBe(500);
    expect(logged).toMatchObject([{ fields: { err: { message: 'no connection' } } }]);
  });

  it.each([() => Promise.reject(new Error('no connection')), () => 7])(
    'must be the address as text: the reply is a 500, and the log names the fix',
    async (clientAddress) => {
      const { handler, logged } = createUnderTest();
      const serve = createFetchHandler(handler, { clientAddress: clientAddress as never });
      expect((await serve(new Request(URL_OF('/jobs')))).status).toBe(500);
      const message = expect.stringContaining('`clientAddress`');
      expect(logged).toMatchObject([{ fields: { err: { name: 'OperatorError', message } } }]);
    },
  );

  it.each([undefined, null])(
    'may have no address, %s: then it is one of those that share one',
    async (none) => {
      const { handler, asked } = createUnderTest();
      const serve = createFetchHandler(handler, { clientAddress: () => none as never });
      await serve(new Request(URL_OF('/jobs')));
      expect(asked.admissions).toMatchObject([{ clientAddress: 'unknown' }]);
    },
  );
});
