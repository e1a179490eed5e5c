import { SANDBOX_PAGE_HEADERS, sandboxPage } from '@partner-hiring/core';
import { partnerHiringFastify } from '@partner-hiring/fastify';
import Fastify, { type FastifyInstance } from 'fastify';
import { harmless, printLine } from './console-output.js';
import type { ExamplePartnerHiring } from './open-partner-hiring.js';
import { REFERENCE_PATH, serveReference } from './reference.js';

/** The host's web application with its own routes and hooks, and the partner API. */
export async function createApiServer(partnerHiring: ExamplePartnerHiring): Promise<FastifyInstance> {
  const app = Fastify();
  app.addHook('onResponse', async ({ method, url }, reply) => {
    printLine(
      'api',
      `${method} ${harmless(url)} → ${reply.statusCode} in ${Math.round(reply.elapsedTime)} ms`,
    );
  });
  // Browsers must not guess content types.
  app.addHook('onRequest', async (_request, reply) => {
    reply.header('X-Content-Type-Options', 'nosniff');
  });
  app.get('/', (_request, reply) => reply.redirect(REFERENCE_PATH));
  app.get('/healthz', async () => ({ ok: true }));
  serveReference(app, partnerHiring);
  // Public documentation of the sandbox.
  app.get('/sandbox', (_request, reply) => reply.headers(SANDBOX_PAGE_HEADERS).send(sandboxPage()));
  await app.register(partnerHiringFastify(partnerHiring));
  return app;
}
