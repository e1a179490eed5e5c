import type { Console } from '@partner-hiring/console';
import { SANDBOX_PAGE_HEADERS, sandboxPage } from '@partner-hiring/core';
import { partnerHiringFastify } from '@partner-hiring/fastify';
import Fastify, { type FastifyInstance } from 'fastify';
import { harmless, printLine } from './console-output.js';
import type { ExamplePartnerHiring } from './open-partner-hiring.js';
import { originOf, servePartnerDocs } from './partner-docs.js';
import { REFERENCE_PATH, serveReference } from './reference.js';

/**
 * The host's web application with its own routes and hooks, and the partner API.
 * @param operatorConsole - null to serve none.
 */
export async function createApiServer(
  partnerHiring: ExamplePartnerHiring,
  operatorConsole: Pick<Console, 'fastify'> | null = null,
): Promise<FastifyInstance> {
  const app = Fastify();
  app.addHook('onResponse', async ({ method, url }, reply) => {
    printLine(
      'api',
      `${method} ${harmless(withoutToken(url))} → ${reply.statusCode} in ${Math.round(reply.elapsedTime)} ms`,
    );
  });
  // This header tells browsers not to guess a content type.
  app.addHook('onRequest', async (_request, reply) => {
    reply.header('X-Content-Type-Options', 'nosniff');
  });
  app.get('/', (_request, reply) => reply.redirect(REFERENCE_PATH));
  app.get('/healthz', async () => ({ ok: true }));
  serveReference(app, partnerHiring);
  await servePartnerDocs(app, partnerHiring);
  // Public documentation of the sandbox, with the address of this server in its commands.
  app.get('/sandbox', (_request, reply) => {
    const origin = originOf(app);
    const page = sandboxPage(
      origin === null ? {} : { baseUrl: `${origin}${partnerHiring.handler.basePath}` },
    );
    return reply.headers(SANDBOX_PAGE_HEADERS).send(page);
  });
  await app.register(partnerHiringFastify(partnerHiring));
  if (operatorConsole !== null) await app.register(operatorConsole.fastify);
  return app;
}

/** The link that signs in to the console contains a token. */
function withoutToken(url: string): string {
  return url.replace(/(\/sign-in)\?.*/, '$1?…');
}
