import { once } from 'node:events';
import { connect as connectHttp2, type IncomingHttpHeaders } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { BASE, MAX_BODY_BYTES, UUID } from '@partner-hiring/test-support/servers/fastify-server';
import { createHandlerUnderTest } from '@partner-hiring/test-support/servers/handler';
import Fastify from 'fastify';
import { describe, expect, it } from 'vitest';
import { partnerHiringFastify } from './index.js';

describe('over HTTP/2', () => {
  const POSTED = {
    ':method': 'POST',
    ':path': `${BASE}/applications`,
    'content-type': 'application/json',
    'idempotency-key': UUID,
  };
  /** In bytes: more than is thrown away of a body. */
  const ENDLESS = 9_000_000;
  const READ = { ':path': `${BASE}/applications/ej_app_1` };

  it('sends the same replies, and survives clients that leave', async () => {
    const underTest = createHandlerUnderTest({}, { maxBodyBytes: MAX_BODY_BYTES });
    const arrivals: (() => void)[] = [];
    let onBoth = () => {};
    const bothArrived = new Promise<void>((resolve) => {
      onBoth = resolve;
    });
    let isHeld = false;
    const handler = Object.assign(
      async (request: Parameters<typeof underTest.handler>[0]) => {
        if (isHeld) {
          await new Promise<void>((resolve) => {
            if (arrivals.push(resolve) === 2) onBoth();
          });
        }
        return underTest.handler(request);
      },
      { basePath: BASE },
    );
    const app = Fastify({ http2: true });
    app.addHook('onRequest', async (_request, reply) => void reply.header('x-host', 'yes'));
    await app.register(partnerHiringFastify({ handler }));
    const session = connectHttp2(await app.listen({ host: '127.0.0.1', port: 0 }));

    async function ask(headers: Readonly<Record<string, string>>, body = ''): Promise<IncomingHttpHeaders> {
      const stream = session.request(headers, { endStream: false });
      stream.end(body);
      const [answered] = await once(stream, 'response');
      await once(stream.resume(), 'close');
      return answered;
    }
    expect(await ask(READ)).toMatchObject({ ':status': 200, 'x-host': 'yes', 'x-ratelimit-limit': '60' });
    expect(await ask(POSTED, '{}')).toMatchObject({ ':status': 201 });
    expect(await ask(POSTED, 'x'.repeat(50 * MAX_BODY_BYTES))).toMatchObject({ ':status': 413 });
    // More than is discarded: the stream ends, but not the session.
    expect(await ask(POSTED, 'x'.repeat(ENDLESS))).toMatchObject({ ':status': 413 });
    expect(await ask(READ)).toMatchObject({ ':status': 200 });

    isHeld = true;
    const leaving = connectHttp2(`http://127.0.0.1:${(app.server.address() as AddressInfo).port}`);
    for (const headers of [READ, POSTED]) {
      leaving
        .request(headers, { endStream: false })
        .on('error', () => {})
        .write('{');
    }
    await bothArrived;
    leaving.destroy();
    await once(leaving, 'close');
    isHeld = false;
    for (const goOn of arrivals) goOn();
    expect(await ask(READ)).toMatchObject({ ':status': 200 });
    expect(underTest.asked.submissions).toHaveLength(1);
    session.destroy();
    await app.close();
  });
});
