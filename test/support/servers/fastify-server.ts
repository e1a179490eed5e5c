import type { AddressInfo } from 'node:net';
import Fastify, { type FastifyInstance } from 'fastify';
import { onTestFinished } from 'vitest';
import { partnerHiringFastify } from '../../../packages/fastify/src/index.js';
import { createHandlerUnderTest } from './handler.js';

/** The base path. */
export const BASE = '/api/v1/external';
/** An idempotency key. */
export const UUID = '9c6f3f0e-6c0e-4f5a-9d53-0a4b8f2f7a10';
/** The body limit of the handler. */
export const MAX_BODY_BYTES = 1_000;

/** An application that serves the API. */
export type Served = Awaited<ReturnType<typeof serve>>;

/** Serves the plugin on the loopback. */
export async function serve(
  options: {
    readonly app?: FastifyInstance;
    readonly prefix?: string;
    readonly changes?: Parameters<typeof createHandlerUnderTest>[0];
  } = {},
) {
  const { app = Fastify(), prefix = '', changes = {} } = options;
  onTestFinished(() => app.close());
  const underTest = createHandlerUnderTest(changes, { maxBodyBytes: MAX_BODY_BYTES });
  await app.register(partnerHiringFastify(underTest), prefix === '' ? {} : { prefix });
  await app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = app.server.address() as AddressInfo;
  const fetchPath = (path: string, init?: RequestInit) => fetch(`http://127.0.0.1:${port}${path}`, init);
  return { ...underTest, app, port, fetch: fetchPath };
}
