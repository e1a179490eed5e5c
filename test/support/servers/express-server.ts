import type { AddressInfo } from 'node:net';
import type { Express } from 'express';
import { onTestFinished } from 'vitest';
import { partnerHiringExpress } from '../../../packages/express/src/index.js';
import { createHandlerUnderTest } from './handler.js';

/** The base path. */
export const BASE = '/api/v1/external';
/** An idempotency key. */
export const UUID = '9c6f3f0e-6c0e-4f5a-9d53-0a4b8f2f7a10';
/** The body limit of the handler. */
export const MAX_BODY_BYTES = 1_000;
/** The fields of a submission. */
export const POSTED = { 'content-type': 'application/json', 'idempotency-key': UUID };

/** An application that serves the API. */
export type Served = Awaited<ReturnType<typeof serve>>;

/** Serves an application after `mount` has added the middleware. */
export async function serve(
  app: Express,
  mount: (middleware: ReturnType<typeof partnerHiringExpress>) => void,
) {
  const underTest = createHandlerUnderTest({}, { maxBodyBytes: MAX_BODY_BYTES });
  mount(partnerHiringExpress(underTest));
  const port = await listen(app);
  const fetchPath = (path: string, init?: RequestInit) => fetch(`http://127.0.0.1:${port}${path}`, init);
  const post = (body: string) => fetchPath(`${BASE}/applications`, { method: 'POST', headers: POSTED, body });
  return { ...underTest, port, fetch: fetchPath, post };
}

/** Listens on the loopback for the test; resolves with the port. */
export function listen(app: Express): Promise<number> {
  return new Promise((resolve) => {
    const server = app.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port));
    onTestFinished(() => {
      server.close();
      server.closeAllConnections();
    });
  });
}
